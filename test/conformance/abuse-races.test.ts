import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import type { CaptureLeadResult } from '../../shared/use-cases/leads/capture-lead.ts';
import type { RequestCallResult } from '../../shared/use-cases/widget/request-call.ts';
import { type DynamoStandIn, startDynamo } from '../support/aws/stand-ins.ts';
import { fictionalNumber, frontDesk } from '../support/front-desk.ts';

// Limits hold when requests race. A counter is raised only if its limit is not reached yet. A call also writes a new version of
// the record of the number's use, and only one request can write each version. So if a hundred requests see that one more call is
// allowed, only one succeeds.

const RACERS = 100;
let dynamo: DynamoStandIn;
beforeAll(async () => {
	dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

async function desk() {
	// The budget is large: a request that loses a race tries again, and the machine may be busy.
	return frontDesk(dynamoStore(await dynamo.newTable(), { budget: { tries: 100, try_ms: 20_000, total_ms: 50_000 } }));
}
type Desk = Awaited<ReturnType<typeof desk>>;

/**
 * Sends a hundred requests at the same time. Returns the calls or leads of those that succeeded, and the codes or errors of the
 * others.
 */
async function race(ask: (racer: number) => Promise<RequestCallResult | CaptureLeadResult>) {
	const settled = await Promise.allSettled(Array.from({ length: RACERS }, (_, racer) => ask(racer)));
	const outcomes = settled.map((each) => (each.status === 'rejected' ? String(each.reason) : each.value));
	const refused = new Set<string>();
	const passed = outcomes.flatMap((outcome) => {
		if (typeof outcome === 'string') refused.add(outcome);
		else if ('refused' in outcome) refused.add(outcome.refused);
		else return ['call' in outcome ? outcome.call : outcome.lead];
		return [];
	});
	return { passed, refused: [...refused] };
}
const address = (racer: number): string => `198.51.100.${racer}`;
const inOneNetwork = (racer: number): string => `2001:db8:7:1::${racer.toString(16)}`;

/** The stored calls of a workspace. */
const kept = async ({ deps }: Desk, workspaceId: string) =>
	await deps.store.list('call', workspaceId, { from_id: null, before_id: null, limit: 100 });

describe('only one of a hundred requests at once is accepted under a limit of one', () => {
	it.each([
		['live calls of a number', {}, () => '+12025550101', address, 'rate_limited'],
		['calls of a number and day', { calls_per_number_per_day: 1 }, () => '+12025550101', address, 'rate_limited'],
		['calls of an address', { requests_per_address_per_window: 1 }, fictionalNumber, () => '192.0.2.7', 'rate_limited'],
		['calls of an IPv6 /64', { requests_per_address_per_window: 1 }, fictionalNumber, inOneNetwork, 'rate_limited'],
		['calls of a workspace', { requests_per_workspace_per_window: 1 }, fictionalNumber, address, 'rate_limited'],
		['calls of a workspace and day', { calls_per_day: 1 }, fictionalNumber, address, 'calls_unavailable'],
	] as const)('for %s', async (_what, limits, phoneOf, addressOf, refusal) => {
		const given = await desk();
		const workspace = given.workspace(limits);
		const { passed, refused } = await race((racer) => given.requestCall(workspace, phoneOf(racer), addressOf(racer)));
		expect(passed).toHaveLength(1);
		expect(refused).toEqual([refusal]);
		expect(await kept(given, workspace.id)).toEqual(passed);
	});

	/** A workspace for each of the requests. To test a limit of one workspace, a test uses only the first of them. */
	const everywhere = ({ workspace }: Desk, limits: Parameters<Desk['workspace']>[0]) => {
		return Array.from({ length: RACERS }, () => workspace(limits));
	};
	const theNumber = (): string => '+12025550101';

	it.each([
		['calls of a number, by a hundred workspaces', { platform_calls_per_number_per_window: 1 }],
		['calls of a number and day, by a hundred workspaces', { platform_calls_per_number_per_day: 1 }],
	] as const)('for %s', async (_what, limits) => {
		const given = await desk();
		const workspaces = everywhere(given, limits);
		const { passed, refused } = await race((racer) => {
			return given.requestCall(workspaces[racer] as Workspace, theNumber(), address(racer));
		});
		expect(passed).toHaveLength(1);
		expect(refused).toEqual(['rate_limited']);
	});

	it.each([
		['leads of a number', { platform_leads_per_number_per_day: 1 }, theNumber, 'one'],
		['leads of a number, in a hundred workspaces', { platform_leads_per_number_per_day: 1 }, theNumber, 'many'],
		['leads of a workspace and day', { leads_per_day: 1 }, fictionalNumber, 'one'],
	] as const)('for %s', async (_what, limits, phoneOf, workspacesOf) => {
		const given = await desk();
		const workspaces = everywhere(given, limits);
		const { passed, refused } = await race((racer) => {
			return given.captureLead(
				workspaces[workspacesOf === 'one' ? 0 : racer] as Workspace,
				phoneOf(racer),
				address(racer),
			);
		});
		expect(passed).toHaveLength(1);
		expect(refused).toEqual(['rate_limited']);
	});
});
