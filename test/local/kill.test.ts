import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../local/aws/dynamodb.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { type StackProcess, startStackProcess } from '../support/stack/stack-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Area codes of the United States. A number can have only one live call, so each call needs a different number. */
const AREAS = [
	201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229, 231, 234,
	239, 240,
];
/** In each area, one number that answers and one that is busy. */
const NUMBERS = AREAS.flatMap((area) => [`+1${area}5550101`, `+1${area}5550102`]);
const CALLS = NUMBERS.length;

let stateDir: string;
let port: number;
let running: StackProcess | null = null;

/** Resolves when `count` of the promises have resolved. */
function firstOf(promises: readonly Promise<unknown>[], count: number): Promise<void> {
	let open = count;
	return new Promise((resolve, reject) => {
		for (const promise of promises)
			promise.then(() => {
				open -= 1;
				if (open === 0) resolve();
			}, reject);
	});
}

async function start(): Promise<StackProcess> {
	running = await startStackProcess(stateDir, ['--port', String(port), '--speed', '4']);
	return running;
}

beforeAll(async () => {
	stateDir = temporaryDirectory('call-back-kill-');
	port = await freePort();
});
afterAll(async () => {
	await running?.stop();
	rmSync(stateDir, { recursive: true, force: true });
});

describe('the whole stack is killed in the middle of 50 calls', () => {
	it('and after a restart every accepted call ends, no phone rings twice, and each event arrives with a valid signature', async () => {
		const began = new Date().toISOString();
		const stack = await start();
		let isKilled = false;
		// On a slow machine, the service may be too busy at first. A visitor then repeats the request, as the widget does.
		const asked = NUMBERS.map((phone) =>
			eventually(`${phone} is accepted`, async () => {
				const body = visitorBody(stack, { phone });
				const headers = { origin: stack.allowed_origin, 'idempotency-key': phone };
				const answer = await call(stack.base_url, '/widget/call-requests', { body, headers }).catch(() => null);
				if (answer?.status === 202) return [String(answer.json.data.id)];
				return isKilled ? [] : null;
			}),
		);
		// The kill comes while calls are being requested, dialled, connected and reported.
		await firstOf(asked, CALLS / 2);
		isKilled = true;
		await running?.stop('SIGKILL');
		const accepted = (await Promise.all(asked)).flat();
		expect(accepted.length).toBeGreaterThanOrEqual(CALLS / 2);

		const again = await start();
		const key = { authorization: `Bearer ${again.api_key}` };
		const read = (id: string) =>
			eventually(`the call ${id} ends`, async () => {
				const { status, json, text } = await call(again.base_url, `/calls/${id}`, { headers: key });
				if (status !== 200) throw new Error(text);
				return json.data.completed_at ? json.data : null;
			});
		const records = [];
		for (const id of accepted) records.push(await read(id));
		const deliveries = await eventually('every delivery succeeds', async () => {
			// Deliveries that began before the test are those of the demo shop's week. One of them has failed.
			const query = `status=pending,failed,held&from=${began}&limit=100`;
			const { json } = await call(again.base_url, `/webhook-deliveries?${query}`, { headers: key });
			return json.data.length === 0 ? json : null;
		});
		expect(deliveries.has_more).toBe(false);
		const received = await fromConsole(again, '/inbox/demo');
		const verified = received.filter(({ verified }: { verified: boolean }) => verified);
		const bodies: readonly string[] = verified.map(({ body }: { body: string }) => body);
		const events = bodies.map((body) => JSON.parse(body));
		// An event that is sent again after a crash has exactly the same bytes as before.
		const ids = new Set(events.map(({ id }: { id: string }) => id));
		expect(new Set(bodies).size).toBe(ids.size);
		const phones: readonly { what: string; leg_id: string }[] = await fromConsole(again, '/phones');
		const dialed = phones.filter(({ what }) => what === 'dialed').map(({ leg_id }) => leg_id);
		expect(new Set(dialed).size).toBe(dialed.length);
		for (const record of records) {
			const kinds = events.filter(({ data }: { data: { id: string } }) => data.id === record.id);
			const names = new Set(kinds.map(({ event }: { event: string }) => event));
			expect(names).toContain('call.requested');
			expect(names).toContain(record.status === 'completed' ? 'call.completed' : 'call.failed');
		}
	});
});
