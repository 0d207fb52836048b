import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import { suppressNumber } from '../../shared/use-cases/visitors/suppress-number.ts';
import { type DynamoStandIn, startDynamo } from '../support/aws/stand-ins.ts';
import { frontDesk } from '../support/front-desk.ts';

// Anyone can send an Origin, so anyone can ask about any number. Responses must not reveal what the service knows about a
// number.

let dynamo: DynamoStandIn;
beforeAll(async () => {
	dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());
/** Before the end of its window by 400 s. */
const NOW = Date.parse('2026-11-21T09:03:20.000Z');
const desk = async () => frontDesk(dynamoStore(await dynamo.newTable()), NOW);
type Desk = Awaited<ReturnType<typeof desk>>;

const VICTIM = '+12025550101';
const OTHER = '+12025550102';

/** The response to a request for the victim's number, in every state in which it is refused. */
const states: readonly (readonly [string, (given: Desk) => Promise<object>])[] = [
	[
		'is in a call',
		async (given) => {
			const workspace = given.workspace();
			await given.requestCall(workspace, VICTIM, '192.0.2.1');
			return given.requestCall(workspace, VICTIM, '192.0.2.2');
		},
	],
	[
		'asked never to be called',
		async (given) => {
			const workspace = given.workspace();
			await suppressNumber({ workspace_id: workspace.id, e164: VICTIM }, true, given.deps);
			return given.requestCall(workspace, VICTIM);
		},
	],
	[
		'asked never to be called, as a lead',
		async (given) => {
			const workspace = given.workspace();
			await suppressNumber({ workspace_id: workspace.id, e164: VICTIM }, true, given.deps);
			return given.captureLead(workspace, VICTIM);
		},
	],
	[
		'was called often enough today',
		(given) => given.requestCall(given.workspace({ calls_per_number_per_day: 0 }), VICTIM),
	],
	[
		'was called often enough by all workspaces',
		(given) => given.requestCall(given.workspace({ platform_calls_per_number_per_day: 0 }), VICTIM),
	],
	['left leads enough today', (given) => given.captureLead(given.workspace({ leads_per_number_per_day: 0 }), VICTIM)],
];

describe('a stranger who requests a call to a number', () => {
	it.each(states)('that %s gets the response of an exhausted window', async (_, ask) => {
		const given = await desk();
		const spent = await given.requestCall(given.workspace({ requests_per_address_per_window: 0 }), OTHER);
		const refusal = { outcome: 'refused', refused: 'rate_limited', retry_after_seconds: 400 };
		expect(spent).toEqual(refusal);
		expect(await ask(given)).toEqual(refusal);
	});

	it.each([
		['requestCall', 'requests_per_address_per_window', '192.0.2.9', true],
		['captureLead', 'requests_per_address_per_window', '192.0.2.9', true],
		['requestCall', 'requests_per_workspace_per_window', '192.0.2.10', false],
	] as const)('uses up the window by refusals: %s, %s', async (operation, limit, later_address, elsewhere_open) => {
		const given = await desk();
		const workspace = given.workspace({ [limit]: 3 });
		await suppressNumber({ workspace_id: workspace.id, e164: VICTIM }, true, given.deps);
		for (let n = 0; n < 3; n += 1) {
			expect(await given[operation](workspace, VICTIM, '192.0.2.9')).toMatchObject({ refused: 'rate_limited' });
		}
		expect(await given[operation](workspace, OTHER, later_address)).toMatchObject({ refused: 'rate_limited' });
		const elsewhere = await given[operation](workspace, OTHER, '192.0.2.11');
		expect('refused' in elsewhere).toBe(!elsewhere_open);
	});

	it('causes no read about the number in an exhausted window', async () => {
		const given = await desk();
		const asked: string[] = [];
		const { store } = given.deps;
		const spied = frontDesk(
			{
				...store,
				get: (record, key) => {
					asked.push(record);
					return store.get(record, key);
				},
				count: (write) => {
					asked.push('count');
					return store.count(write);
				},
				commit: (writes) => {
					asked.push('commit');
					return store.commit(writes);
				},
			},
			NOW,
		);
		const workspace = given.workspace({ requests_per_workspace_per_window: 0 });
		await suppressNumber({ workspace_id: workspace.id, e164: VICTIM }, true, given.deps);
		for (const e164 of [VICTIM, OTHER]) {
			for (const ask of [spied.requestCall, spied.captureLead]) {
				asked.length = 0;
				expect(await ask(workspace, e164)).toMatchObject({ refused: 'rate_limited' });
				expect(asked).toEqual(['count', 'count']);
			}
		}
	});
});
