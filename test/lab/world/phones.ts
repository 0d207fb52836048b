import type { Instruction } from '../../../shared/domain/calls/instruction.ts';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import type {
	DialOutcome,
	DialRequest,
	HangupOutcome,
	LookupOutcome,
	ProviderRequest,
	ReceiveOutcome,
	Telephony,
} from '../../../shared/ports/telephony.ts';
import { ask } from './functions.ts';
import { lookAtDial } from './member-rules.ts';
import { type Person, phoneWorld } from './people.ts';
import { currentProcess, onStage, type Stage } from './stage.ts';
import { overTheWire } from './wire.ts';

// The phone network: people who may or may not answer, and a provider whose responses and callbacks may get lost.

const GENUINE = 'signed by the provider';

/** The phones of the visitors and the team of one world, with the world's clock. */
export function connectPhones(stage: Stage, visitor: Person, team: readonly Person[]) {
	const { random } = stage;
	const legs = new Map<string, DialRequest>();
	const line = () => ({
		lost: stage.strikes('a callback is lost', 'status'),
		copies: stage.strikes('a callback is doubled', 'status') ? 2 : 1,
		delay_ms: stage.strikes('a callback is late', 'status') ? random.below('late callback', 9000) : 20,
	});
	function tellLeg(legId: string, route: 'status' | 'instructions', fact: LegFact, signature = GENUINE) {
		const callId = legs.get(legId)?.call_id ?? '';
		return ask(stage, `phone ${route}`, {
			method: 'POST',
			path: `/telephony/${callId}/${legId}.mac/${route}`,
			headers: { signature },
			body: JSON.stringify(fact),
		});
	}
	const network = phoneWorld(
		{
			time: stage.time,
			visitor,
			team,
			line,
			ends_tell_presses: true,
			skew_ms: stage.kind === 'calm' ? 0 : random.pick('skew', 0, 0, -3000, 3000),
		},
		{
			callback: (legId, fact) => {
				if (stage.strikes('a callback is forged', 'status')) {
					const forged = { ...fact, rank: 'ended', cause: 'completed' } as const;
					void tellLeg(legId, 'status', forged, 'forged').then((answer) => {
						if (answer !== null && answer.status < 400) stage.broken('a forged callback changes nothing', legId);
					});
				}
				report(4);
				function report(left: number): void {
					void tellLeg(legId, 'status', fact).then((answer) => {
						if ((answer === null || answer.status >= 500) && left > 1) stage.time.after(1000, () => report(left - 1));
					});
				}
			},
			ask: (legId, fact, instruct) => {
				question(2);
				function question(left: number): void {
					void tellLeg(legId, 'instructions', fact).then((answer) => {
						if (answer !== null && answer.status === 200) instruct(JSON.parse(answer.body) as Instruction);
						else if (answer !== null && answer.status < 500) instruct(null);
						else if (left > 1) question(left - 1);
					});
				}
			},
		},
	);
	return { ...network, legs };
}

/** Dials with the real adapter. The network does what the adapter's request asks for. */
export function dial(request: DialRequest): Promise<DialOutcome> {
	const ask = (phones: Telephony) => phones.dial(request);
	return onStage().step(`dial ${request.role}`, () => overTheWire(ask, () => reached(request)));
}

async function reached(request: DialRequest): Promise<DialOutcome> {
	const stage = onStage();
	const { leg_id, role, ring_seconds, to } = request;
	const call = await stage.truth.get('call', { id: request.call_id });
	const leg = call?.legs.find(({ id }) => id === leg_id);
	if (leg?.rank === 'created' || leg === undefined)
		stage.broken('a leg is claimed before it is dialled', `${role} ${leg_id}`);
	if (stage.strikes('a dial is throttled', role)) return { dial: 'throttled', retry_after_seconds: 2, code: '20429' };
	if (stage.strikes('a dial is rejected', role)) {
		return { dial: 'rejected', reason: 'provider_rejected', code: '21215' };
	}
	const before = stage.phones().phones.filter((phone) => phone.leg_id === leg_id).length;
	if (before > 0) stage.broken('no leg is dialled twice', `${role} ${leg_id}`);
	if (call !== null && call.completed_at !== null && before === 0 && leg?.hangup_requested_at === null)
		stage.tell('the provider', `a dial crosses the end of its call`);
	if (stage.strikes('a dial has no answer and is lost', role)) return { dial: 'unclear', code: 'lost' };
	const member = role === 'visitor' ? null : Math.max(0, stage.team_numbers.indexOf(to));
	if (role === 'visitor' && !stage.visitor_numbers.has(to)) stage.broken('only the number that was left rings', to);
	if (role === 'agent') lookAtDial(stage, request);
	stage.phones().legs.set(leg_id, request);
	stage.tell('the provider', `dials the ${role}`);
	const { provider_id } = stage.phones().dial({ leg_id, role, member, ring_ms: ring_seconds * 1000 });
	if (stage.strikes('a dial has no answer and rings', role)) return { dial: 'unclear', code: 'lost' };
	return { dial: 'accepted', provider_id };
}

export function hangUp(providerId: string): Promise<HangupOutcome> {
	const stage = onStage();
	return stage.step('hang up', () =>
		overTheWire(
			(phones) => phones.hangup(providerId),
			async () => {
				if (stage.strikes('a hang-up has no answer', 'hang up')) return { hangup: 'unclear', code: 'http_500' };
				return { hangup: stage.phones().hangUp(providerId) };
			},
		),
	);
}

/**
 * Looks a leg up with the real adapter. The times of the result come from the network, because the times in the provider's
 * response have no milliseconds.
 */
export function lookUp(legId: string, providerId: string | null): Promise<LookupOutcome> {
	const stage = onStage();
	return stage.step('look up', async () => {
		const fact = stage.phones().lookUp(legId);
		const read = await overTheWire(
			(phones) => phones.lookup(legId, providerId),
			async () => {
				if (stage.strikes('a look-up has no answer', 'look up')) return { lookup: 'unclear' };
				return fact === 'missing' ? { lookup: 'missing' } : { lookup: 'found', fact };
			},
		);
		return read.lookup === 'found' && fact !== 'missing' ? { ...read, fact } : read;
	});
}

export async function receive({ headers, leg_mac, raw_body }: ProviderRequest): Promise<ReceiveOutcome> {
	if (headers['signature'] !== GENUINE || leg_mac !== 'mac') return { received: 'forged' };
	const process = currentProcess();
	if (process?.dead === true) return { received: 'forged' };
	return { received: 'fact', fact: JSON.parse(raw_body) as LegFact, detail: '' };
}
