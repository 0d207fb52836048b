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
const retention = 'test/conformance/retention.test.ts';
const queues = 'test/conformance/queues.test.ts';

const always = "const guard = { if: 'always' } as const;";

const publishing: readonly Mutant[] = [
	...watched('shared/messages/consume.ts', handing, [
		['a message that failed comes again', '			return false;', '			return true;'],
		['a message comes again alone', '.filter((_, index) => handled[index] === false)', ''],
	]),
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
			'the sweep writes what it has read',
			"const guard = { if: 'version', version: delivery.version } as const;",
			always,
		],
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
		['recover gives an endpoint what it subscribed to', 'if (!endpoint.events.includes(event.kind)) continue;', ''],
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

const dynamodb = (file: string): string => `shared/adapters/dynamodb/${file}.ts`;
const storing: readonly Mutant[] = [
	...watched(dynamodb('writes'), 'test/conformance/store.test.ts', [
		['the table holds a version', "'#version = :version'", "'#version >= :version'"],
		['the table holds that there was nothing', 'return { ConditionExpression: absent };', 'return {};'],
		['the table holds that something has expired', ' OR #expires <= :now', ' OR #expires > :now'],
	]),
	...watched(dynamodb('items'), 'test/conformance/store-reads.test.ts', [
		[
			'a timer goes when nothing is due any more',
			'if (item.due_at === null) delete',
			'if (item.due_at === undefined) delete',
		],
	]),
	...watched(dynamodb('commit'), 'test/conformance/dynamodb-faults.test.ts', [
		[
			'a transaction whose answer was lost finds its own success',
			'ClientRequestToken: randomUUID()',
			'ClientRequestToken: undefined',
		],
		['a put whose answer was lost knows its own', 'found.S === mark', "found.S === ''"],
		['the success of somebody else is not taken for one’s own', 'found.S === mark', "found.S !== ''"],
	]),
];

/** What design and docs promise between a change and its attempts: what is committed, stored, swept, asked for again and signed. */
export const deliveries: readonly Mutant[] = [...publishing, ...storing, ...sweeping, ...replays, ...secrets];
