/** A rule of the product, broken in one place: the text `from`, which occurs once in the file, becomes `to`. */
export type Mutant = { readonly name: string; readonly file: string; readonly from: string; readonly to: string };

const LEGS = 'use-cases/calls/dial-leg.ts';
const MACHINE = 'domain/webhooks/delivery-machine.ts';
const ATTEMPT = 'use-cases/webhooks/attempt/attempt-delivery.ts';
const PUBLISH = 'use-cases/webhooks/publish-event.ts';

export const mutants: readonly Mutant[] = [
	{
		name: 'drop the version guard of a call',
		file: 'use-cases/calls/advance-call.ts',
		from: "{ if: 'version', version: before.version }",
		to: "{ if: 'always' }",
	},
	{
		name: 'send before the commit',
		file: 'use-cases/kernel/change.ts',
		from: 'const outcome = await commit(proposal',
		to: 'await afterwards?.(); const outcome = await commit(proposal',
	},
	{
		name: 'forget the lease of a delivery',
		file: MACHINE,
		from: 'lease_until: new Date(now_ms + LEASE_MS).toISOString()',
		to: 'lease_until: null',
	},
	{
		name: 'dial twice on redelivery',
		file: 'domain/calls/call-input.ts',
		from: "if (leg.rank === 'created') return true;",
		to: "if (leg.rank === 'created' || leg.rank === 'dialing') return true;",
	},
	{ name: 'dial before the claim', file: LEGS, from: 'await take(call, leg_id, deps)', to: 'call' },
	{
		name: 'keep no answer for an Idempotency-Key',
		file: 'use-cases/kernel/change.ts',
		from: 'keepAnswer?.(result) ?? []',
		to: '[]',
	},
	{
		name: 'leave out the second subscriber',
		file: PUBLISH,
		from: '.filter((endpoint) => endpoint.events.includes(event.kind))',
		to: '.filter((endpoint) => endpoint.events.includes(event.kind)).slice(0, 1)',
	},
	{
		name: 'deliver events without a subscription',
		file: PUBLISH,
		from: '.filter((endpoint) => endpoint.events.includes(event.kind))',
		to: '',
	},
	{
		name: 'never sweep deliveries',
		file: 'use-cases/operations/sweep.ts',
		from: 'return sendAgainIfOverdue(id, deps);',
		to: 'return;',
	},
	{
		name: 'never sweep calls',
		file: 'use-cases/operations/sweep.ts',
		from: "await deps.queues.send('call-timers', [{ message: { call_id: id, at: null }, delay_seconds: 0, group: null }]);",
		to: '',
	},
	{
		name: 'retry without waiting',
		file: MACHINE,
		from: 'next_attempt_at: new Date(outcome.at_ms).toISOString()',
		to: 'next_attempt_at: new Date(now_ms).toISOString()',
	},
	{
		name: 'deliver again after a success',
		file: MACHINE,
		from: "delivery.status === 'pending' && !isLeased(delivery, now_ms)",
		to: '!isLeased(delivery, now_ms)',
	},
	{
		name: 'deliver to a disabled endpoint',
		file: 'use-cases/webhooks/attempt/claim-delivery.ts',
		from: "if (endpoint.status === 'enabled') return pass(",
		to: 'if (endpoint !== null) return pass(',
	},
	{
		name: 'another body at each attempt',
		file: ATTEMPT,
		from: 'headers, body: event.body }',
		to: "headers, body: event.body.replace('{', '{ ') }",
	},
	{
		name: 'let no deadline pass',
		file: 'use-cases/calls/check-deadlines.ts',
		from: 'if (!isDue(call, moment)) return',
		to: 'if (call !== null) return',
	},
	{
		name: 'tell no operator of an exhausted delivery',
		file: MACHINE,
		from: "{ ...base, status: 'failed', due_at: new Date(now_ms).toISOString() }",
		to: "{ ...base, status: 'failed' }",
	},
	{
		name: 'count the events of a call wrongly',
		file: 'domain/calls/call-record.ts',
		from: 'event_count: before.event_count + decision.events.length',
		to: 'event_count: before.event_count',
	},
	{
		name: 'forget the claim of a notice',
		file: 'use-cases/leads/notify-team.ts',
		from: 'const held = claimed(notice, clock.now());',
		to: 'const held = notice;',
	},
	{
		name: 'tell of a missed call after its commit',
		file: 'use-cases/calls/advance-call.ts',
		from: 'notices: is_missed ? ((await deps.whenMissed?.(call, now_ms, deps)) ?? []) : [],',
		to: '',
	},
	{
		name: 'mask no digit of a number',
		file: 'domain/kernel/phone-number.ts',
		from: "${'*'.repeat(hidden)}${national.slice(hidden)}",
		to: '${national}',
	},
	{
		name: 'show another customer a call',
		file: 'shared/http/read.ts',
		from: 'if (item?.workspace_id !== workspace_id) return { problem: NOT_FOUND };',
		to: 'if (item === null) return { problem: NOT_FOUND };',
	},
	{
		name: 'believe any dial that did not answer',
		file: LEGS,
		from: "case 'unclear':\n\t\t\treturn null;",
		to: "case 'unclear':\n\t\t\treturn { input: 'dial_throttled', leg_id, retry_after_seconds: 0 };",
	},
];
