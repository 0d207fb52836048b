import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { suppressNumber } from '../../shared/use-cases/calls/suppress-number.ts';
import { type DynamoStandIn, startDynamo } from '../support/aws/stand-ins.ts';
import { frontDesk } from '../support/front-desk.ts';

// Anyone can send any Origin header, and so ask about any number. Responses must not reveal what the service knows about a
// number.

let dynamo: DynamoStandIn;
beforeAll(async () => {
	dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());
/** A time 400 s before the end of a window of the rate limits. */
const NOW = Date.parse('2026-11-21T09:03:20.000Z');
const desk = async () => frontDesk(dynamoStore(await dynamo.newTable()), NOW);
type Desk = Awaited<ReturnType<typeof desk>>;

const VICTIM = '+12025550101';
const OTHER = '+12025550102';

type Prepare = (given: Desk) => Promise<Workspace>;

/** Each entry has a reason why the victim's number is refused, and prepares a workspace to which this reason applies. */
const states: readonly (readonly [string, Prepare])[] = [
	[
		'is in a call',
		async (given) => {
			const workspace = given.workspace();
			await given.requestCall(workspace, VICTIM, '192.0.2.1');
			return workspace;
		},
	],
	[
		'asked never to be called',
		async (given) => {
			const workspace = given.workspace();
			await suppressNumber({ workspace_id: workspace.id, e164: VICTIM }, true, given.deps);
			return workspace;
		},
	],
	['was called often enough today', async (given) => given.workspace({ calls_per_number_per_day: 0 })],
	[
		'was called often enough by all workspaces',
		async (given) => given.workspace({ platform_calls_per_number_per_day: 0 }),
	],
	[
		'was called often enough by all workspaces in this window',
		async (given) => given.workspace({ platform_calls_per_number_per_window: 0 }),
	],
];
const leadStates: typeof states = [
	...states,
	['left leads enough today', async (given) => given.workspace({ platform_leads_per_number_per_day: 0 })],
];

/** The use cases of a desk, with a store that records which operations they call. */
function spied(given: Desk) {
	const asked: string[] = [];
	const noted = Object.entries(given.deps.store).map(([name, ask]) => {
		const spy = (...args: unknown[]) => {
			asked.push(name === 'get' ? `get ${String(args[0])}` : name);
			return Reflect.apply(ask, given.deps.store, args);
		};
		return [name, spy] as const;
	});
	return { asked, desk: frontDesk({ ...given.deps.store, ...Object.fromEntries(noted) }, NOW) };
}

describe.each([
	['call', 'requestCall', states],
	['lead', 'captureLead', leadStates],
] as const)('a stranger who requests a %s for a number', (_what, route, refused) => {
	it.each(refused)(
		'that %s is refused as if the window of the stranger’s address were used up, after the same reads',
		async (_, prepare) => {
			const given = await desk();
			const spent = await given[route](given.workspace({ requests_per_address_per_window: 0 }), OTHER);
			const refusal = { outcome: 'refused', refused: 'rate_limited', retry_after_seconds: 400 };
			expect(spent).toEqual(refusal);
			const workspace = await prepare(given);
			const { asked, desk: again } = spied(given);
			expect(await again[route](workspace, VICTIM, '192.0.2.2')).toEqual(refusal);
			// A call causes events, so the service reads the workspace's endpoints together with the number. It reads them even if
			// the call is then refused.
			const reads = [
				...Array.from({ length: route === 'requestCall' ? 4 : 5 }, () => 'used'),
				...(route === 'requestCall' ? ['endpointsOf'] : []),
			];
			expect(asked).toEqual(['count', 'get number_usage', ...reads, 'get call', 'count']);
		},
	);

	it.each(refused)(
		'that %s gets the same response as for any other number when the workspace’s day or window is used up',
		async (_, prepare) => {
			const given = await desk();
			const { limits, ...workspace } = await prepare(given);
			const spent = { ...workspace, limits: { ...limits, calls_per_day: 0, leads_per_day: 0 } };
			expect(await given[route](spent, VICTIM, '192.0.2.2')).toEqual(await given[route](spent, OTHER, '192.0.2.3'));
			const full = { ...workspace, limits: { ...limits, requests_per_workspace_per_window: 0 } };
			expect(await given[route](full, VICTIM, '192.0.2.4')).toEqual(await given[route](full, OTHER, '192.0.2.5'));
		},
	);
});

describe('a stranger who requests a call or a callback', () => {
	it.each([['requestCall'], ['captureLead']] as const)(
		'uses up, by refused requests, only the window of their own address: %s',
		async (operation) => {
			const given = await desk();
			const limits = { requests_per_address_per_window: 3, requests_per_workspace_per_window: 1 };
			const workspace = given.workspace(limits);
			await suppressNumber({ workspace_id: workspace.id, e164: VICTIM }, true, given.deps);
			for (let n = 0; n < 3; n += 1) {
				expect(await given[operation](workspace, VICTIM, '192.0.2.9')).toMatchObject({ refused: 'rate_limited' });
			}
			expect(await given[operation](workspace, OTHER, '192.0.2.9')).toMatchObject({ refused: 'rate_limited' });
			expect(await given[operation](workspace, OTHER, '192.0.2.11')).not.toHaveProperty('refused');
		},
	);

	it('causes no read about the number once the window of their address is used up', async () => {
		const given = await desk();
		const { asked, desk: again } = spied(given);
		const workspace = given.workspace({ requests_per_address_per_window: 0 });
		await suppressNumber({ workspace_id: workspace.id, e164: VICTIM }, true, given.deps);
		for (const e164 of [VICTIM, OTHER]) {
			for (const ask of [again.requestCall, again.captureLead]) {
				asked.length = 0;
				expect(await ask(workspace, e164)).toMatchObject({ refused: 'rate_limited' });
				expect(asked).toEqual(['count']);
			}
		}
	});
});
