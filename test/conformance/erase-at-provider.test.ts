import { describe, expect, it } from '@jest/globals';
import { twilioTelephony } from '../../shared/adapters/telephony/twilio/twilio.ts';
import type { CallRecord } from '../../shared/domain/calls/call-record.ts';
import { type Leg, newLeg } from '../../shared/domain/calls/leg.ts';
import type { Telephony } from '../../shared/ports/telephony.ts';
import { eraseLegs } from '../../shared/use-cases/retention/erase-legs.ts';
import { erasePerson } from '../../shared/use-cases/retention/erase-person.ts';
import { frontDesk } from '../support/front-desk.ts';
import { memoryStore } from '../support/memory-store.ts';
import type { Answering, Asked } from '../support/phones/phone-provider.ts';
import { providerApis } from '../support/phones/provider-apis.ts';
import { put, version } from '../support/writes.ts';

// Tests that erasing a person also deletes the provider's records of the person's calls, over the provider's real protocol.

const PHONE = '+12025550101';
const ACCOUNT = `AC${'0'.repeat(32)}`;
const AGENT = `CA${'a'.repeat(32)}`;
const VISITOR = `CA${'b'.repeat(32)}`;
const FREED = `CA${'c'.repeat(32)}`;
const startApi = providerApis();

/** Twilio's records of calls. `answer` replaces the response to a deletion. */
async function provider(answer: (asked: Asked) => Answering | 'reset' | null = () => null) {
	const numbers = new Map([AGENT, VISITOR, FREED].map((sid) => [sid, PHONE]));
	const api = await startApi((asked) => {
		const sid = /CA[a-c]{32}/.exec(asked.path)?.[0] ?? '';
		return answer(asked) ?? { status: asked.method === 'DELETE' && numbers.delete(sid) ? 204 : 404 };
	});
	const telephony = twilioTelephony({
		account_sid: ACCOUNT,
		from: '+12125550100',
		machine_detection: false,
		public_base_url: 'https://calls.example.com/v1',
		clock: { now: () => 0 },
		api_url: api.url,
		authTokens: async () => ['a token'],
	});
	return { telephony, numbers, asked: api.asked };
}

/** A person with one call that is over and had these legs. */
async function calledBefore(legs: (callId: string) => readonly Leg[]) {
	const desk = frontDesk(memoryStore());
	const workspace = desk.workspace();
	const { store } = desk.deps;
	const outcome = await desk.requestCall(workspace, PHONE);
	if (!('call' in outcome)) throw new Error(outcome.refused);
	const { id, created_at } = outcome.call;
	const record = await store.get('call', { id });
	if (record === null) throw new Error('the call was not written');
	const over = { ...record, version: 2, status: 'completed', completed_at: created_at, legs: legs(id) } as const;
	const item: CallRecord = over;
	await store.commit([put('call', item, version(1))]);
	const input = { workspace_id: workspace.id, e164: PHONE, keep_consent: false };
	return {
		call_id: id,
		store,
		erase: (erase: Telephony['erase']) => erasePerson(input, { ...desk.deps, erasesAtProvider: { erase } }),
	};
}

const ended = (leg: Leg, provider_id: string | null): Leg => ({ ...leg, rank: 'ended', provider_id });
const twoLegs = (id: string): readonly Leg[] => [
	{ ...ended(newLeg(id, 'agent', 'm1', 0), AGENT), freed_id: FREED },
	ended(newLeg(id, 'agent', 'm2', 0), null),
	ended(newLeg(id, 'visitor', null, 0), VISITOR),
];

describe('erasing a person’s calls at the provider', () => {
	it('leaves no record with the number, and the receipt counts the deleted records', async () => {
		const { telephony, numbers, asked } = await provider();
		const past = await calledBefore(twoLegs);
		expect(await past.erase(telephony.erase)).toMatchObject({
			provider_records_removed: 3,
			provider_records_gone: 0,
			provider_records_left: [],
		});
		expect([...numbers.values()]).toEqual([]);
		expect(asked.map(({ method, path }) => [method, path])).toEqual(
			[AGENT, FREED, VISITOR].map((sid) => ['DELETE', `/2010-04-01/Accounts/${ACCOUNT}/Calls/${sid}.json`]),
		);
	});

	it('counts the records that the provider no longer has, however often the erasure is repeated', async () => {
		const { telephony } = await provider();
		const past = await calledBefore(twoLegs);
		const deps = { store: past.store, erasesAtProvider: telephony };
		expect(await eraseLegs(past.call_id, deps)).toEqual({ removed: 3, gone: 0, left: [] });
		expect(await eraseLegs(past.call_id, deps)).toEqual({ removed: 0, gone: 3, left: [] });
		expect(await past.erase(telephony.erase)).toMatchObject({
			provider_records_removed: 0,
			provider_records_gone: 3,
			provider_records_left: [],
		});
	});

	it.each<[string, Answering | 'reset', string]>([
		['is not done with the call', { status: 409, body: { code: 20009 } }, '20009'],
		['refuses the credentials', { status: 401, body: { code: 20003 } }, '20003'],
		['is down', { status: 503 }, 'http_503'],
		['breaks the connection', 'reset', 'lost'],
	])(
		'still erases our records if the provider %s, and the receipt says what is left, without ids of the provider',
		async (_, answer, why) => {
			const { telephony } = await provider(({ path }) => (path.includes(VISITOR) ? answer : null));
			const past = await calledBefore(twoLegs);
			const receipt = await past.erase(telephony.erase);
			expect(receipt).toMatchObject({
				consents_removed: 1,
				sealed_numbers_removed: 1,
				names_removed: 1,
				provider_records_removed: 2,
				provider_records_left: [{ call_id: past.call_id, leg: 'visitor', why }],
			});
			expect(JSON.stringify(receipt)).not.toMatch(/CA[a-c]{32}|2025550101/);
			expect(await past.store.get('call', { id: past.call_id })).toMatchObject({ visitor_name: null });
		},
	);

	it('names the provider’s document about deletion if the provider deletes no records', async () => {
		const document = 'https://provider.example/calls';
		const past = await calledBefore(twoLegs);
		const receipt = await past.erase(async () => ({ erase: 'not_supported', document }));
		const left = { call_id: past.call_id, why: 'not_supported', document };
		expect(receipt.provider_records_left).toEqual(
			(['agent', 'agent', 'visitor'] as const).map((leg) => ({ ...left, leg })),
		);
		expect(receipt.consents_removed).toBe(1);
	});
});
