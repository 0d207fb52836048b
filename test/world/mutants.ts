/** A rule of the product, broken in one place: the text `from`, which occurs once in the file, becomes `to`. */
export type Mutant = { readonly name: string; readonly file: string; readonly from: string; readonly to: string };

const LEGS = 'use-cases/calls/dial-leg.ts';
const MACHINE = 'domain/webhooks/delivery-machine.ts';
const ATTEMPT = 'use-cases/webhooks/attempt-delivery.ts';
const HEALTH = 'domain/webhooks/endpoint-machine.ts';
const AGGREGATION = 'domain/calls/call-aggregation.ts';
const PUBLISH = 'use-cases/webhooks/publish-event.ts';

export const mutants: readonly Mutant[] = [
	{
		name: 'drop the version guard of a call',
		file: 'use-cases/calls/advance-call.ts',
		from: "{ if: 'version', version: before.version }",
		to: "{ if: 'always' }",
	},
	{
		name: 'tally a call again after its end',
		file: 'use-cases/calls/advance-call.ts',
		from: 'isTerminal(call.status) && !isTerminal(before.status)',
		to: 'isTerminal(call.status)',
	},
	{
		name: 'tally no request to call back',
		file: 'use-cases/leads/capture-lead.ts',
		from: 'leadTally(lead, null)',
		to: '[]',
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
		from: 'lease_until: iso(now_ms + LEASE_MS)',
		to: 'lease_until: null',
	},
	{
		name: 'dial twice on redelivery',
		file: 'domain/calls/call-input.ts',
		from: "if (leg.rank === 'created') return true;",
		to: "if (leg.rank === 'created' || leg.rank === 'dialing') return true;",
	},
	{
		name: 'dial before the claim',
		file: LEGS,
		from: 'await claimLeg(call, leg_id, deps)',
		to: 'call',
	},
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
		from: '...dueAt(outcome.at_ms, now_ms)',
		to: '...dueAt(now_ms, now_ms)',
	},
	{
		name: 'deliver again after a success',
		file: MACHINE,
		from: "return { ...base, ...NOT_DUE, status: 'succeeded' };",
		to: 'return { ...base, ...dueAt(now_ms, now_ms) };',
	},
	{
		name: 'deliver to a disabled endpoint',
		file: ATTEMPT,
		from: "if (endpoint.status === 'disabled') {",
		to: 'if (endpoint === null) {',
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
		from: "status: 'failed', next_attempt_at: null, due_at: iso(now_ms) }",
		to: "status: 'failed', ...NOT_DUE }",
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
		from: 'const claimed_notice = claimNotice(notice, clock.now());',
		to: 'const claimed_notice = notice;',
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
		from: "${'*'.repeat(hidden_digits)}${national.slice(hidden_digits)}",
		to: '${national}',
	},
	{
		name: 'show another customer a call',
		file: 'shared/http/read.ts',
		from: 'if (item?.workspace_id !== workspace_id) return { problem: NOT_FOUND };',
		to: 'if (item === null) return { problem: NOT_FOUND };',
	},
	{
		name: 'never open the breaker',
		file: HEALTH,
		from: 'open_until: unreachable < BREAKER_FAILURES ? null : (before.open_until ?? iso(now_ms + PLACE_MS)),',
		to: 'open_until: null,',
	},
	{
		name: 'let a success leave the breaker open',
		file: 'domain/webhooks/endpoint-machine.ts',
		from: 'health: well(endpoint) };',
		to: 'health: { ...well(endpoint), open_until: endpoint.health.open_until } };',
	},
	{
		name: 'open the breaker at the first failure',
		file: HEALTH,
		from: 'export const BREAKER_FAILURES = 5;',
		to: 'export const BREAKER_FAILURES = 1;',
	},
	{
		name: 'count failures that are not in a row',
		file: HEALTH,
		from: "sign === 'refused' ? 0 :",
		to: "sign === 'refused' ? before.consecutive_unreachable :",
	},
	{
		name: 'let an answer leave the breaker open',
		file: HEALTH,
		from: 'open_until: unreachable < BREAKER_FAILURES ? null :',
		to: 'open_until: unreachable < BREAKER_FAILURES ? before.open_until :',
	},
	{
		name: 'wait a second for an open breaker',
		file: MACHINE,
		from: 'const WAIT_MS = { least: 60_000,',
		to: 'const WAIT_MS = { least: 1000,',
	},
	{
		name: "let a person's retry wait for the breaker",
		file: HEALTH,
		from: 'if (health.open_until === null || delivery.asked_for)',
		to: 'if (health.open_until === null)',
	},
	{
		name: 'take places under any version',
		file: ATTEMPT,
		from: "place: putNext('webhook_endpoint', endpointInPlace)",
		to: "place: { ...putNext('webhook_endpoint', endpointInPlace), guard: { if: 'always' } }",
	},
	{
		name: 'let every attempt pass an open breaker',
		file: HEALTH,
		from: 'return now_ms < Date.parse(health.open_until) ? null : {',
		to: 'return {',
	},
	{
		name: 'let one attempt in four hours pass an open breaker',
		file: HEALTH,
		from: 'const PLACE_MS = 13_000;',
		to: 'const PLACE_MS = 14_400_000;',
	},
	{
		name: 'open the breaker at answers',
		file: HEALTH,
		from: "return REFUSALS.includes(error) && !OVERLOADED.includes(response_status) ? 'refused' : 'unreachable';",
		to: "return 'unreachable';",
	},
	{
		name: 'let a closed breaker admit one at a time',
		file: HEALTH,
		from: 'if (health.open_until === null || delivery.asked_for)',
		to: 'if (delivery.asked_for)',
	},
	{
		name: 'let waits for a breaker grow without a bound',
		file: MACHINE,
		from: 'const WAIT_MS = { least: 60_000, most: 360_000 }',
		to: 'const WAIT_MS = { least: 60_000, most: 360_000_000 }',
	},
	{
		name: 'give up what waits for a breaker',
		file: MACHINE,
		from: 'return { ...delivery, waiting_since: since, ...dueAt(',
		to: "if (waiting_since) return { ...delivery, status: 'failed', next_attempt_at: null, due_at: iso(now_ms) };\n\t\t\treturn { ...delivery, waiting_since: since, ...dueAt(",
	},
	{
		name: 'sign with the oldest secret alone',
		file: ATTEMPT,
		from: '...liveSecrets(endpoint, now_ms).map(',
		to: '...liveSecrets(endpoint, now_ms).slice(-1).map(',
	},
	{
		name: 'count a conversation from the answer',
		file: AGGREGATION,
		from: 'const joined_at = later(winner.accepted_at, visitor.answered_at);',
		to: 'const joined_at = visitor.answered_at;',
	},
	{
		name: 'believe the newest report of a leg',
		file: 'domain/calls/leg.ts',
		from: 'rank: higher(leg.rank, fact.rank),',
		to: 'rank: fact.rank,',
	},
	{
		name: 'let an ended call end again',
		file: 'domain/calls/call-transitions.ts',
		from: 'if (!isLater(now.status, call.status)) return call;',
		to: 'if (now.status === call.status) return call;',
	},
	{
		name: 'give the call to the first member of the team who has pressed 1',
		file: 'domain/calls/call-transitions.ts',
		from: 'winner_leg_id: call.winner_leg_id ?? acceptedLeg?.id ?? null',
		to: 'winner_leg_id: acceptedLeg?.id ?? null',
	},
	{
		name: 'give up a change at its first lost race',
		file: 'use-cases/kernel/change.ts',
		from: 'const TRIES = 32;',
		to: 'const TRIES = 1;',
	},
	{
		name: 'announce no canceled call',
		file: AGGREGATION,
		from: "return [eventOf('call.failed', after.status, duration_seconds)];",
		to: "return after.status === 'canceled' ? [] : [eventOf('call.failed', after.status, duration_seconds)];",
	},
	{
		name: 'forget when a leg was answered',
		file: 'domain/calls/leg.ts',
		from: "answered_at: earliest(leg.answered_at, fact.answered_at, at('answered')),",
		to: "answered_at: earliest(fact.answered_at, at('answered')),",
	},
	{
		name: 'count a conversation from the request',
		file: 'domain/calls/call-transitions.ts',
		from: 'Date.parse(completed_at) - Date.parse(joined_at)',
		to: 'Date.parse(completed_at) - Date.parse(call.created_at)',
	},
	{
		name: 'hang up no phone',
		file: 'use-cases/calls/advance-call.ts',
		from: "hang_up.length > 0 && queues.send('hang-up-legs', hang_up.map(ofLeg)),",
		to: '',
	},
	{
		name: 'hold deliveries of an endpoint that was enabled again',
		file: 'use-cases/webhooks/attempt-delivery.ts',
		from: "if (endpoint.status === 'disabled') {",
		to: 'if (endpoint.version > 2) {',
	},
	{
		name: 'forget an exhausted delivery that the dead-letter queue refused',
		file: 'use-cases/operations/overdue-delivery.ts',
		from: 'if (!(await sendPointer(delivery, queues))) return;',
		to: 'await sendPointer(delivery, queues);',
	},
	{
		name: 'tell the team again',
		file: 'use-cases/leads/notify-team.ts',
		from: 'if (notice === null || !isNoticeDue(notice, clock.now())) return;',
		to: 'if (notice === null) return;',
	},
	{
		name: 'leave out the last of a page',
		file: 'shared/http/read.ts',
		from: 'page.items.map(present)',
		to: 'page.items.slice(0, -1).map(present)',
	},
	{
		name: 'believe any dial that did not answer',
		file: LEGS,
		from: "case 'unclear':\n\t\t\treturn null;",
		to: "case 'unclear':\n\t\t\treturn { input: 'dial_throttled', leg_id, retry_after_seconds: 0 };",
	},
];
