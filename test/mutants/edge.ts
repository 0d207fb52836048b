import { type Mutant, watched } from './mutant.ts';

const http = (file: string): string => `shared/http/${file}.ts`;
const requests = 'test/unit/requests.test.ts';
const unit = 'test/unit/edge.test.ts';
const lists = 'test/api/lists.test.ts';
const permissions = 'test/api/permissions.test.ts';

const ofTheirs = (record: string): string => ` || ${record}.workspace_id !== caller.workspace_id) return`;

/** What the edge of the API and the widget promise: who is let in, to what, how often, and what leaves. */
export const edge: readonly Mutant[] = [
	...watched(http('authenticate'), unit, [
		['a key that was revoked opens nothing', 'key.revoked_at !== null || ', ''],
		['a key is genuine', ' || !isGenuineApiKey(presented, key)', ''],
		['a key has the permission of the route', ' || !key.permissions.includes(route.permission)', ''],
		[
			'a route without a permission is closed',
			'if (route.permission === null || ',
			'if (route.permission !== null && ',
		],
	]),
	...watched(http('idempotency'), unit, [
		[
			'another body under the same key is refused',
			'if (record.body_hash === keyed.body_hash) return',
			'if (record) return',
		],
		['a key is remembered for a day', ' || record.expires_at_epoch_s <= deps.clock.now() / 1000', ''],
		['of twins one makes the change', "guard: { if: 'absent_or_expired', now_epoch_s },", "guard: { if: 'always' },"],
	]),
	...watched('shared/domain/idempotency.ts', unit, [
		['a day is 24 hours', 'IDEMPOTENCY_SECONDS = 24 * 3600;', 'IDEMPOTENCY_SECONDS = 23 * 3600;'],
		[
			'an Idempotency-Key is one of its workspace',
			'[workspace_id, operation, resource_id, key]',
			'[operation, resource_id, key]',
		],
		[
			'an Idempotency-Key is one of its resource',
			'[workspace_id, operation, resource_id, key]',
			'[workspace_id, operation, key]',
		],
	]),
	...watched(http('handle'), unit, [
		[
			'the twin that lost is told what the other was told',
			'if (twin !== null) return',
			'if (twin === undefined) return',
		],
		['no undeclared field leaves', 'const value = route.response.parse(answer);', 'const value = answer;'],
	]),
	...watched(http('edge'), unit, [
		[
			'nothing internal leaves with a failure',
			"detail: 'The request id helps us find the cause.' }",
			'detail: String(error) }',
		],
	]),
	...watched(http('visitor'), unit, [
		[
			'a page is one that the workspace allows',
			'if (!workspace.origins.includes(found.origin)) return originRefused();',
			'',
		],
		['a page polls calls of its own workspace', '&& workspace?.origins.includes(found.origin)) {', '&& workspace) {'],
		[
			'a page that nobody allows is refused',
			'if (!(await store.anyWorkspaceAllows(found.origin))) return originRefused();',
			'',
		],
	]),
	...watched(http('cors'), unit, [
		[
			'an answer is for the page that asked',
			"return { 'access-control-allow-origin': origin,",
			"return { 'access-control-allow-origin': '*',",
		],
	]),
	...watched('shared/domain/cursor.ts', requests, [
		['a cursor is bound to its workspace', '[workspace_id, operation, sorted]', '[operation, sorted]'],
		['a cursor is bound to its list', '[workspace_id, operation, sorted]', '[workspace_id, sorted]'],
		['a cursor is bound to its filters', '[workspace_id, operation, sorted]', '[workspace_id, operation]'],
		['a cursor ends', 'return age_ms > VALID_MS ? null :', 'return age_ms < 0 ? null :'],
	]),
	...watched(http('list'), lists, [
		['the filters of a list bind its cursor', '[name, String(value)]));', "[name, '']));"],
		['a cursor that does not fit is refused', 'if (cursor !== undefined && opened === null) {', "if (cursor === '') {"],
	]),
	...watched('functions/api/get-call.ts', permissions, [
		['a call is read by its workspace', ofTheirs('call'), ') return'],
	]),
	...watched('functions/api/get-callback-lead.ts', permissions, [
		['a lead is read by its workspace', ofTheirs('lead'), ') return'],
	]),
	...watched('functions/api/get-webhook-delivery.ts', permissions, [
		['a delivery is read by its workspace', ofTheirs('delivery'), ') return'],
	]),
	...watched('shared/use-cases/update-lead.ts', permissions, [
		['a lead is moved by its workspace', ' || lead.workspace_id !== input.workspace_id) return', ') return'],
	]),
	...watched('shared/use-cases/cancel-call.ts', 'test/simulation/calls.test.ts', [
		['a call is canceled by its workspace', ' || call.workspace_id !== input.workspace_id) return', ') return'],
	]),
];
