import { type Mutant, watched } from './mutant.ts';

const domain = (file: string): string => `shared/domain/${file}.ts`;
const useCase = (file: string): string => `shared/use-cases/${file}.ts`;
const decisions = 'test/unit/delivery-decisions.test.ts';
const attempts = 'test/delivery/attempt-delivery.test.ts';
const resuming = 'test/delivery/resume.test.ts';
const redrive = 'test/delivery/redrive.test.ts';
const endpoints = 'test/delivery/endpoints.test.ts';
const handing = 'test/delivery/handing-over.test.ts';
const replaying = 'test/delivery/replays.test.ts';
const simulation = 'test/simulation/deliveries.test.ts';
const retention = 'test/conformance/retention.test.ts';
const queues = 'test/conformance/queues.test.ts';

const always = "const guard = { if: 'always' } as const;";

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

const publishing: readonly Mutant[] = [
	...watched(useCase('publish-event'), handing, [
		[
			'an event is committed once, and so is its delivery',
			"const absent = { if: 'absent' } as const;",
			"const absent = { if: 'always' } as const;",
		],
		[
			'a delivery is named by its event and its endpoint',
			'event.id, endpoint.id),',
			'event.id, endpoint.id, String(now)),',
		],
		['a delivery whose message is lost is found', 'due_at: enabled ? watchedFrom(now, now) : null,', 'due_at: null,'],
		['endpoints share a queue fairly', 'delay_seconds, group: endpoint_id }', 'delay_seconds, group: null }'],
	]),
	...watched(useCase('publish-event'), attempts, [
		['an endpoint hears of what it subscribed to', '.filter((endpoint) => endpoint.events.includes(event.kind))', ''],
	]),
	...watched(useCase('publish-event'), resuming, [
		['what a disabled endpoint would get is held', "status: enabled ? 'pending' : 'held',", "status: 'pending',"],
	]),
	...watched(useCase('capture-lead'), handing, [
		[
			'nothing is sent of a lead before it is committed',
			'	const outcome = await deps.store.commit([',
			"	await deps.queues.send('deliveries', publication.messages);\n	const outcome = await deps.store.commit([",
		],
	]),
	...watched(useCase('place-call'), handing, [
		[
			'nothing is sent of a new call before it is committed',
			'	const outcome = await store.commit([',
			'	await sendWhatFollows(decision, { writes: [], messages: [] }, deps);\n	const outcome = await store.commit([',
		],
	]),
	...watched(useCase('advance-call'), handing, [
		[
			'nothing is sent of a call before it is committed',
			'	if (writes.length > 0) {',
			'	await sendWhatFollows(decision, publication, deps);\n	if (writes.length > 0) {',
		],
	]),
	...watched('shared/adapters/sqs/queues.ts', queues, [
		[
			'a failed send is counted, never an error',
			'if (failed > 0) onLost(queue, failed);',
			"if (failed > 0) throw new Error('lost');",
		],
		[
			'what was taken is not sent again',
			'open = open.filter(({ Id }) => failed.has(Id));',
			'open = failed.size > 0 ? batch : [];',
		],
	]),
	...watched(domain('event'), retention, [
		['events and deliveries are kept for 30 days', '= 30 * 24 * 3600;', '= 31 * 24 * 3600;'],
		[
			'the end of what is kept is in seconds',
			'Math.floor(Date.parse(input.created_at) / 1000) +',
			'Date.parse(input.created_at) +',
		],
	]),
];

const sweeping: readonly Mutant[] = [
	...watched(useCase('sweep'), handing, [
		[
			'the sweep leaves alone what is being attempted',
			'if (delivery.lease_until !== null && Date.parse(delivery.lease_until) > now) return;',
			'',
		],
		['the sweep leaves alone what is not due any more', ' || Date.parse(delivery.due_at) > now) return;', ') return;'],
		[
			'one bad record keeps no other waiting',
			"		deps.log.error('sweep failed', { outcome: due.record, ...errorFields(error) });",
			'		throw error;',
		],
		[
			'the sweep looks again in case its message is lost',
			'new Date(now + HANDED_OVER_MS).toISOString() : null;',
			'null : null;',
		],
	]),
	...watched(useCase('sweep'), attempts, [
		[
			'operators are pointed to an exhausted delivery',
			"if (delivery.status === 'failed' && !(await pointTo(delivery, queues))) return;",
			'',
		],
		['the sweep ends in time', '			if (!inTime()) return count;\n', ''],
	]),
	...watched(useCase('sweep'), redrive, [
		['a pointer that was not taken is sent again', 'return sent === 1;', 'return sent < 2;'],
		[
			'operators are pointed to it once',
			"const due_at = delivery.status === 'pending' ?",
			"const due_at = delivery.status !== 'held' ?",
		],
	]),
	...watched(useCase('sweep'), simulation, [
		[
			'the sweep writes what it has read',
			"const guard = { if: 'version', version: delivery.version } as const;",
			always,
		],
	]),
];

const replays: readonly Mutant[] = [
	...watched(useCase('retry-delivery'), replaying, [
		['a delivery that is leased is in flight', 'return leased || ', 'return '],
		[
			'a failed delivery goes through the schedule again',
			"delivery.status === 'pending' ? delivery.schedule_position : 0",
			'delivery.schedule_position',
		],
		[
			'a waiting delivery goes on in its schedule',
			"delivery.status === 'pending' ? delivery.schedule_position : 0",
			'0',
		],
		[
			'of two retries at once one counts',
			"const guard = { if: 'version', version: delivery.version } as const;",
			always,
		],
	]),
	...watched(useCase('retry-delivery'), attempts, [
		[
			'no retry of a delivery in flight',
			"if (isInFlight(delivery, now)) return { refused: 'delivery_in_progress' };",
			'',
		],
		[
			'a delivery that is due is in flight',
			"return leased || Date.parse(delivery.next_attempt_at ?? '') <= now;",
			'return leased;',
		],
		['a retry is of the own workspace', ' || delivery.workspace_id !== input.workspace_id) return', ') return'],
		['a replay is a new generation', 'generation: delivery.generation + 1,', 'generation: delivery.generation,'],
	]),
	...watched(useCase('recover-deliveries'), replaying, [
		['of two who give what never was one does', "guard: { if: 'absent' } }", "guard: { if: 'always' } }"],
		['recover is spread over time', 'Math.floor((position * 1000) / REPLAYS_PER_SECOND)', '0'],
		['recover ends where it is told to', 'until_ms === null ? null : lowestIdAt(until_ms)', 'null'],
	]),
	...watched(useCase('recover-deliveries'), attempts, [
		['a dry run changes nothing', '!input.dry_run && ', ''],
		[
			'recover leaves alone what has succeeded',
			"return delivery.status === 'failed' ||",
			"return delivery.status === 'succeeded' || delivery.status === 'failed' ||",
		],
		['recover gives what is missing only when asked', "return mode === 'missing';", 'return true;'],
		['recover gives an endpoint what it subscribed to', 'if (!endpoint.events.includes(event.kind)) continue;', ''],
	]),
	...watched(useCase('resume-endpoint'), resuming, [
		['what is held is sent, nothing else', " || delivery.status !== 'held') continue;", ') continue;'],
		['an endpoint is sent what is its own', 'delivery.endpoint_id !== id || ', ''],
		[
			'an endpoint that is off again keeps the rest held',
			"endpoint !== null && endpoint.status === 'enabled'",
			'endpoint !== null',
		],
		['an endpoint that comes back is not knocked over', '(sent * 1000) / REPLAYS_PER_SECOND', '0'],
		['one visit sends so much', 'sent >= PER_VISIT || ', ''],
		[
			'of two who start a delivery over one does',
			"const guard = { if: 'version', version: delivery.version } as const;",
			always,
		],
		[
			'what was committed around the enabling is found',
			'if (!on || (finished && now >= enabled_ms + SETTLED_MS)) {',
			'if (!on || finished) {',
		],
	]),
	...watched(useCase('change-webhook-endpoint'), resuming, [
		[
			'resume none sends nothing',
			"return endpoint.status === 'disabled' ? now : null;",
			'return now - RETENTION_SECONDS * 1000;',
		],
		['resume since begins then', 'return change.since_ms ?? now;', 'return now - RETENTION_SECONDS * 1000;'],
		['resume all begins at the beginning', '			return now - RETENTION_SECONDS * 1000;', '			return now;'],
	]),
	...watched(useCase('judge-dead-letter'), redrive, [
		[
			'a pointer starts its own generation over',
			"delivery.generation === generation ? { verdict: 'start_over', delivery }",
			"delivery.version > 0 ? { verdict: 'start_over', delivery }",
		],
		[
			'a delivery that has succeeded is not replayed',
			"		case 'succeeded':\n			return drop('succeeded_meanwhile');\n		case 'pending':",
			"		case 'succeeded':\n			return { verdict: 'start_over', delivery };\n		case 'pending':",
		],
		[
			'a delivery under way is not replayed',
			"			return drop('under_way');\n		case 'held':",
			"			return { verdict: 'start_over', delivery };\n		case 'held':",
		],
		['a dial that comes late is never made', "leg.hangup_requested_at === null ? drop('stale_dial') : ", ''],
	]),
];

const secrets: readonly Mutant[] = [
	...watched(domain('webhook-signature'), decisions, [
		[
			'the signature covers its time',
			"createHmac('sha256', secret).update(",
			"createHmac('sha256', secret).update(t > 0 ? body : ",
		],
		['every live secret signs', 'const service = secrets.map(', 'const service = secrets.slice(0, 1).map('],
		[
			'every live secret signs as Standard Webhooks has it',
			'const standard = secrets.map(',
			'const standard = secrets.slice(0, 1).map(',
		],
	]),
	...watched(domain('webhook-endpoint'), endpoints, [
		[
			'a secret that has expired signs no more',
			'.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now_ms)',
			'',
		],
	]),
	...watched(useCase('rotate-webhook-secret'), endpoints, [
		[
			'the secrets of an overlap are newest first',
			'[{ sealed, expires_at: null }, ...older]',
			'[...older, { sealed, expires_at: null }]',
		],
		[
			'an older secret ends with the overlap',
			'expires_at: earlier(secret.expires_at, until)',
			'expires_at: secret.expires_at ?? until',
		],
		[
			'a new overlap makes no older secret live longer',
			'return at === null || other < at ? other : at;',
			'return at === null ? other : other;',
		],
		['a rotated secret is sealed', 'const sealed = await deps.vault.sealSecret(secret);', 'const sealed = secret;'],
		[
			'of two rotations at once none is lost',
			"const guard = { if: 'version', version: endpoint.version } as const;",
			always,
		],
	]),
	...watched(useCase('create-webhook-endpoint'), endpoints, [
		['a first secret is sealed', 'const sealed = await deps.vault.sealSecret(secret);', 'const sealed = secret;'],
		[
			'a workspace has 20 endpoints at most',
			'if (roster.count >= MAX_ENDPOINTS_PER_WORKSPACE) return',
			'if (roster.count > MAX_ENDPOINTS_PER_WORKSPACE) return',
		],
	]),
	...watched(useCase('endpoint-roster'), endpoints, [
		[
			'a race does not pass the limit',
			"guard: roster.version === 0 ? { if: 'absent' } : { if: 'version', version: roster.version },",
			"guard: { if: 'always' },",
		],
	]),
	...watched(useCase('change-webhook-endpoint'), endpoints, [
		[
			'enabling starts with a clean bill of health',
			'health: enabling ? HEALTHY : endpoint.health,',
			'health: endpoint.health,',
		],
		[
			'of two changes at once none is lost',
			"const guard = { if: 'version', version: endpoint.version } as const;",
			always,
		],
	]),
	...watched('shared/adapters/aws/secret-vault.ts', 'test/conformance/vault.test.ts', [
		[
			'a secret is stored as a cipher',
			"const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);",
			'const text = Buffer.concat([Buffer.from(secret), cipher.final(), cipher.getAuthTag()]);',
		],
	]),
];

/** What design and docs promise of deliveries: who attempts, when, how often, for how long, and what replays do. */
export const deliveries: readonly Mutant[] = [
	...schedule,
	...health,
	...publishing,
	...sweeping,
	...replays,
	...secrets,
];
