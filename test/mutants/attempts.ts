import { type Mutant, watched } from './mutant.ts';

const domain = (file: string): string => `shared/domain/${file}.ts`;
const useCase = (file: string): string => `shared/use-cases/${file}.ts`;
const decisions = 'test/unit/delivery-decisions.test.ts';
const attempts = 'test/delivery/attempt-delivery.test.ts';
const claims = 'test/delivery/claims.test.ts';
const resuming = 'test/delivery/resume.test.ts';
const redrive = 'test/delivery/redrive.test.ts';
const simulation = 'test/simulation/deliveries.test.ts';
const retention = 'test/conformance/retention.test.ts';
const always = "const guard = { if: 'always' } as const;";

const attempting: readonly Mutant[] = [
	...watched(useCase('attempt-delivery'), attempts, [
		[
			'a delivery is written under the version that was read',
			"guard: { if: 'version', version } };",
			"guard: { if: 'always' } };",
		],
		[
			'only what is pending is attempted',
			"delivery.status !== 'pending' || delivery.generation",
			'delivery.generation',
		],
		[
			'a message of an older generation finds nothing',
			' || delivery.generation !== message.generation) return false;',
			') return false;',
		],
		[
			'nothing is attempted before its time',
			"if (Date.parse(delivery.next_attempt_at ?? '') > clock.now()) return requeue(delivery, deps);",
			'',
		],
		[
			'a delivery without its endpoint is canceled',
			"return stop(delivery, 'canceled', deps);",
			"return stop(delivery, 'held', deps);",
		],
		[
			'an endpoint that is off is sent nothing',
			"if (endpoint.status === 'disabled') return hold(delivery, key, deps);",
			'',
		],
		[
			'who stood still before sending sends nothing',
			'return outcome.committed && clock.now() < Date.parse(lease_until) ? item',
			'return outcome.committed ? item',
		],
		[
			'an open breaker holds a delivery',
			"if (state.breaker === 'open') return postpone(delivery, state.until_ms, deps);",
			'',
		],
		[
			'the failure of a late process is no news',
			"if (outcome.outcome !== 'succeeded' && latest.lease_until !== claimed.lease_until) return;",
			'',
		],
		['the success of a late process counts', "if (outcome.outcome !== 'succeeded' && latest", 'if (latest'],
		['older attempts are kept', ', ...archived(current)]', ']'],
		[
			'the bytes of an event are made once',
			'headers, body: event.body });',
			"headers, body: event.body.concat(' ') });",
		],
		[
			'a message is about its delivery, or nothing is sent',
			"if (!isAbout(message, delivery)) throw new Error('the message is about another delivery');",
			'',
		],
		['an endpoint’s health is noted', '	await noteHealth(endpoint, outcome.outcome, deps);\n', ''],
	]),
	...watched(useCase('attempt-delivery'), claims, [
		[
			'a leased delivery is attempted by nobody else',
			'return delivery.lease_until === null || Date.parse(delivery.lease_until) <= now;',
			'return true;',
		],
		['a newer generation decides for itself', 'latest.generation !== claimed.generation || ', ''],
		['what is over stays as it ended', " || latest.status !== 'pending') return;", ') return;'],
		['SQS carries a message for 15 minutes at most', 'if (wait_ms > CARRIED_BY_QUEUE_MS) return;', ''],
		['the next attempt is handed to the queue', "if (outcome === 'retry') await requeue(item, deps);", ''],
		['one of all that wait is the probe', 'if (!won.committed) return postpone(delivery, now + 1000, deps);', ''],
		[
			'a signature has the time of its attempt',
			'body: event.body, now_ms }),',
			'body: event.body, now_ms: Date.parse(JSON.parse(event.body).created_at) }),',
		],
		[
			'every live secret signs an attempt',
			'const secrets = await Promise.all(sealed.map(',
			'const secrets = await Promise.all(sealed.slice(0, 1).map(',
		],
	]),
	...watched(useCase('attempt-delivery'), resuming, [
		[
			'an endpoint enabled while a delivery is put aside hears of it',
			"if (endpoint?.status !== 'enabled' || held?.status !== 'held') return;",
			'return;',
		],
	]),
	...watched(useCase('attempt-delivery'), redrive, [
		[
			'a pointer starts over what has failed, nothing else',
			"delivery.status !== 'failed' || delivery.generation",
			'delivery.generation',
		],
		['a pointer starts over its own generation', ' || delivery.generation !== generation) return;', ') return;'],
	]),
	...watched(useCase('attempt-delivery'), retention, [
		[
			'older attempts go with their delivery',
			'attempt: last_attempt, expires_at_epoch_s };',
			'attempt: last_attempt, expires_at_epoch_s: expires_at_epoch_s * 2 };',
		],
	]),
];

const schedule: readonly Mutant[] = [
	...watched(domain('retry-schedule'), decisions, [
		['the schedule lasts three days', '43_200, 72_000, 86_400,', '43_200, 43_200, 86_400,'],
		['the schedule ends', 'if (wait === undefined) return null;', ''],
		['jitter makes nothing early', '(1 + MAX_JITTER * input.random)', '(1 - MAX_JITTER * input.random)'],
		['jitter is a fifth at most', 'const MAX_JITTER = 0.2;', 'const MAX_JITTER = 0.3;'],
		[
			'the later of schedule and Retry-After counts',
			'Math.max(jittered, input.retry_after_seconds ?? 0)',
			'(input.retry_after_seconds ?? jittered)',
		],
		['Retry-After puts off for 12 hours at most', '= 12 * 3600;', '= 13 * 3600;'],
		['a Retry-After in the past is now', 'Math.max(0, seconds)', 'seconds'],
		['Retry-After is a number or a date', 'if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;', ''],
	]),
	...watched(domain('attempt-outcome'), decisions, [
		['only 2xx is a success', 'status >= 200 && status < 300) return', 'status >= 200 && status < 400) return'],
		['410 ends a delivery', "if (status === 410) return { outcome: 'gone' };", ''],
		['Retry-After counts on 429 and 503', '&& (status === 429 || status === 503)', ''],
		[
			'the schedule is counted from the first attempt',
			'made: delivery.schedule_position + 1',
			'made: delivery.schedule_position',
		],
	]),
	...watched(domain('attempt-outcome'), attempts, [
		['a retry is watched over by the sweep', 'due_at: watchedFrom(outcome.at_ms, now_ms),', 'due_at: null,'],
		[
			'operators hear of an exhausted delivery',
			"status: 'failed', due_at: new Date(now_ms).toISOString() };",
			"status: 'failed' };",
		],
	]),
	...watched(domain('attempt-hint'), decisions, [
		[
			'a redirect is told from other answers',
			"if (status < 300 || status >= 400) return { error: 'http_status'",
			"if (status > 0) return { error: 'http_status'",
		],
		['a header of a stranger is made printable', 'printable(location)', 'String(location)'],
	]),
];

const health: readonly Mutant[] = [
	...watched(domain('endpoint-health'), decisions, [
		['five failures trip the breaker', 'BREAKER_FAILURES = 5;', 'BREAKER_FAILURES = 6;'],
		['the breaker holds longer and longer', '[30, 60, 120, 300, 900]', '[30, 30, 30, 30, 30]'],
		['the longest hold repeats', 'HOLD_SECONDS.length - 1)', 'HOLD_SECONDS.length)'],
		['the breaker holds', "if (until_ms > now_ms) return { breaker: 'open', until_ms };", ''],
		['one probe at a time', 'health: { ...health, held_until } };', 'health };'],
		['off after five days', 'after_ms: 5 * 24 * HOUR_MS', 'after_ms: 4 * 24 * HOUR_MS'],
		['off after 20 failures, not fewer', 'failures: 20', 'failures: 19'],
		['off after 12 hours with failures, not fewer', 'hours: 12 }', 'hours: 11 }'],
		[
			'the hours with failures are distinct',
			'[...new Set([...health.failing_hours, now.slice(0, 13)])]',
			'[...health.failing_hours, now.slice(0, 13)]',
		],
		['warned after a day', "'24h': 24 * HOUR_MS", "'24h': 25 * HOUR_MS"],
		['warned after three days', "'72h': 72 * HOUR_MS", "'72h': 73 * HOUR_MS"],
		['warned once of each', ' && !health.warned.includes(at)', ''],
		['failing since the first failure', 'health.failing_since ?? now', 'now'],
		['a success resets an endpoint', 'return health.failing_since === null ? null : HEALTHY;', 'return null;'],
		['a healthy endpoint is not written', 'return health.failing_since === null ? null : HEALTHY;', 'return HEALTHY;'],
	]),
	...watched(useCase('note-endpoint-health'), attempts, [
		[
			'410 switches an endpoint off',
			"status: 'disabled', disabled_reason: 'gone', updated_at }",
			"disabled_reason: 'gone', updated_at }",
		],
		[
			'failures that come together are all counted',
			"const guard = { if: 'version', version: endpoint.version } as const;",
			always,
		],
		[
			'what began before the breaker tripped holds it no longer',
			"if (late && (outcome === 'retry' || outcome === 'exhausted')) return;",
			'',
		],
	]),
	...watched(useCase('note-endpoint-health'), simulation, [
		[
			'a failing endpoint is switched off',
			"health, status: 'disabled', disabled_reason: 'failing', updated_at }",
			'health }',
		],
		['its success is noted', 'return health === null ? null : { ...next, health };', 'return null;'],
	]),
];

/** What design and docs promise of attempts: whose turn it is, when, how often, and what becomes of their endpoint. */
export const attemptGuards: readonly Mutant[] = [...attempting, ...schedule, ...health];
