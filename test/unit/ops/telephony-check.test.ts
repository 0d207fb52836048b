import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { callCommands } from '../../../ops/call-commands.ts';
import type { OpsDeps } from '../../../ops/connect.ts';
import { REFUSAL_CODES } from '../../../shared/adapters/telephony/refusal-codes.ts';
import { checkTwilio } from '../../../shared/adapters/telephony/twilio-check.ts';
import { CALL_ID } from '../../support/calls/call-run.ts';
import { accepted } from '../../support/calls/call-story.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { type Answering, startProviderApi } from '../../support/phones/phone-provider.ts';

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const each of close.splice(0)) await each();
});

/** An account of Twilio behind its REST API; `changes` by the end of a path. */
async function checked(changes: Readonly<Record<string, Answering>> = {}) {
	const usual: Readonly<Record<string, Answering>> = {
		'.json': { status: 200, body: { status: 'active', type: 'Full' } },
		'/IncomingPhoneNumbers.json': {
			status: 200,
			body: { incoming_phone_numbers: [{ capabilities: { voice: true } }] },
		},
		'/OutgoingCallerIds.json': { status: 200, body: { outgoing_caller_ids: [] } },
		'/Balance.json': { status: 200, body: { balance: '19.50', currency: 'USD' } },
		'/v1/DialingPermissions/Countries/US': { status: 200, body: { low_risk_numbers_enabled: true } },
		'/v1/DialingPermissions/Countries/DE': { status: 200, body: { low_risk_numbers_enabled: false } },
	};
	const account_sid = `AC${'0'.repeat(32)}`;
	const api = await startProviderApi(({ path }) => {
		const [asked = ''] = path.replace(`/2010-04-01/Accounts/${account_sid}`, '').split('?');
		return { ...usual, ...changes }[asked] ?? { status: 404 };
	});
	close.push(() => api.close());
	const urls = { api_url: api.url, voice_url: api.url };
	const checks = await checkTwilio({
		account_sid,
		auth_token: 'token',
		from: '+12125550100',
		regions: ['US'],
		...urls,
	});
	return checks.filter(({ ok }) => !ok).map(({ check, found }) => `${check}: ${found}`);
}

describe('a check of an account of Twilio', () => {
	it('finds nothing wrong with one that can call', async () => {
		expect(await checked()).toEqual([]);
	});

	it.each<[string, Readonly<Record<string, Answering>>, string]>([
		['a trial', { '.json': { status: 200, body: { status: 'active', type: 'Trial' } } }, 'account type: Trial'],
		['wrong credentials', { '.json': { status: 401, body: { code: 20003 } } }, 'credentials: HTTP 401'],
		[
			'a suspended account',
			{ '.json': { status: 200, body: { status: 'suspended', type: 'Full' } } },
			'account: suspended',
		],
		[
			'a caller number of somebody else',
			{ '/IncomingPhoneNumbers.json': { status: 200, body: { incoming_phone_numbers: [] } } },
			'caller number: neither the account’s nor verified',
		],
		[
			'no money',
			{ '/Balance.json': { status: 200, body: { balance: '-0.10', currency: 'USD' } } },
			'balance: -0.10 USD',
		],
		[
			'a country that is not permitted',
			{ '/v1/DialingPermissions/Countries/US': { status: 200, body: { low_risk_numbers_enabled: false } } },
			'calls to US: not allowed',
		],
	])('names %s', async (_, changes, wrong) => {
		expect(await checked(changes)).toEqual([wrong]);
	});
});

describe('a call as an operator sees it', () => {
	it('says what happened to each phone and with which code the provider refused, and shows no provider id', async () => {
		const told = accepted();
		const leg_id = told.legOf('visitor').id;
		told.apply(11, { input: 'dial_rejected', leg_id, cause: 'provider_rejected', code: '21215' });
		const store = memoryStore();
		await store.commit([{ op: 'put', record: 'call', item: told.call(), guard: { if: 'absent' } }]);
		const [show] = callCommands;
		const session = { progress: () => undefined, stopped: () => false, pause: async () => undefined };
		const deps = { store } as unknown as OpsDeps;
		const shown = JSON.stringify(await show?.run({ id: CALL_ID }, deps, session));
		expect(shown).toContain('visitor: dialled');
		expect(shown).toContain('team member 1: dialled');
		expect(shown).toContain(`code 21215: ${REFUSAL_CODES.get('21215')}`);
		expect(shown).not.toContain('P 0');
		await expect(show?.run({ id: 'another' }, deps, session)).rejects.toThrow('no call has this id');
	});
});

it('the runbook lists every code that the console explains', () => {
	const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
	expect([...REFUSAL_CODES.keys()].filter((code) => !runbook.includes(`| ${code} |`))).toEqual([]);
	expect(REFUSAL_CODES.size).toBe(10);
});
