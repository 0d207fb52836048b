import { describe, expect, it } from '@jest/globals';
import { createCallbackLead as route } from '../../../shared/contract/visitors/widget.ts';
import type { Workspace, WorkspaceLimits } from '../../../shared/domain/workspaces/workspace.ts';
import { forVisitors, handleChange } from '../../../shared/http/handle.ts';
import { visitorProblem } from '../../../shared/http/visitors/visitor-refusals.ts';
import { type CaptureLeadResult, captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';
import { suppressNumber } from '../../../shared/use-cases/visitors/suppress-number.ts';
import { apiEvent } from '../../support/api-event.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

const ORIGIN = 'https://shop.example';
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };

/** The route for callbacks. */
function desk() {
	const store = memoryStore();
	const given = frontDesk(store);
	const handler = handleChange(forVisitors, route, {
		deps: () => ({ ...given.deps, log }),
		respond: (result: CaptureLeadResult) =>
			result.outcome === 'captured' ? { body: { data: result.lead } } : { problem: visitorProblem(result) },
		run: ({ body, caller }, deps) => captureLead({ ...body, ...caller, name: null, note: null }, deps),
	});
	const open = async (limits: Partial<WorkspaceLimits>): Promise<Workspace> => {
		const workspace = given.workspace(limits);
		await save(workspace);
		const { id: workspace_id, workspace_key } = workspace;
		const item = { workspace_key, workspace_id };
		await store.commit([{ op: 'put', record: 'workspace_key', item, guard: { if: 'absent' } }]);
		return workspace;
	};
	const save = (item: Workspace) => store.commit([{ op: 'put', record: 'workspace', item, guard: { if: 'always' } }]);
	const ask = async ({ workspace_key }: Workspace, { from = '192.0.2.1', phone = '+12025550101', key = '' } = {}) => {
		const body = { workspace_key, phone, consent: true, page_url: `${ORIGIN}/` };
		const headers = { origin: ORIGIN, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) };
		return handler(apiEvent({ path: '/v1/widget/callback-leads', headers, body: JSON.stringify(body), from }), {});
	};
	return { ...given, open, save, ask };
}

describe('a spent window', () => {
	it.each([
		['of an address', { requests_per_address_per_window: 1 }, '192.0.2.1', '192.0.2.2', 201],
		['of a workspace', { requests_per_workspace_per_window: 1 }, '192.0.2.2', '192.0.2.3', 429],
		['of an IPv6 /64', { requests_per_address_per_window: 1 }, '2001:db8:1:2::', '2001:db8:1:3::', 201],
	] as const)('%s refuses every further request of it, and no other', async (_, limits, same, other, elsewhere) => {
		const { open, ask } = desk();
		const workspace = await open(limits);
		expect((await ask(workspace, { from: same.replace('2::', '2:9::9') })).statusCode).toBe(201);
		const first = await ask(workspace, { from: same });
		expect(first.statusCode).toBe(429);
		expect(await ask(workspace, { from: same })).toEqual(first);
		expect((await ask(workspace, { from: other })).statusCode).toBe(elsewhere);
		expect((await ask(await open({}), { from: same })).statusCode).toBe(201);
	});

	it('still gets the earlier response to a repeated request', async () => {
		const { open, ask } = desk();
		const workspace = await open({ requests_per_address_per_window: 1 });
		const first = await ask(workspace, { key: 'one' });
		await ask(workspace, { key: 'two' });
		const again = await ask(workspace, { key: 'one' });
		expect([again.statusCode, again.body]).toEqual([201, first.body]);
	});

	it('is open again at once when the limit was raised', async () => {
		const { open, save, ask } = desk();
		const workspace = await open({ requests_per_address_per_window: 0 });
		expect((await ask(workspace)).statusCode).toBe(429);
		await save({ ...workspace, limits: { ...workspace.limits, requests_per_address_per_window: 5 } });
		expect((await ask(workspace)).statusCode).toBe(201);
	});

	it('is none when only a number was refused', async () => {
		const { open, ask, deps } = desk();
		const workspace = await open({});
		await suppressNumber({ workspace_id: workspace.id, e164: '+12025550102' }, true, deps);
		expect((await ask(workspace, { phone: '+12025550102' })).statusCode).toBe(429);
		expect((await ask(workspace)).statusCode).toBe(201);
	});
});
