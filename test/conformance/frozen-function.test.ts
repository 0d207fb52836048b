import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { VISITOR_BUDGET } from '../../shared/adapters/aws/client/client.ts';
import { startSilentProxy } from '../support/aws/silent-proxy.ts';
import { type DynamoStandIn, startDynamo } from '../support/aws/stand-ins.ts';

// Lambda freezes a function between two requests. During this time, networks silently drop the connections that the function
// keeps open.

let dynamo: DynamoStandIn;
beforeAll(async () => {
	dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

/** More connections than a request has tries, so a request that tried each of them would run out of tries. */
const KEPT = VISITOR_BUDGET.tries + 2;

it('after a freeze in which all connections were lost, a function tries one of them and then opens a new connection', async () => {
	const env = await dynamo.newTable();
	const proxy = await startSilentProxy(dynamo.endpoint);
	const worker = spawn(process.execPath, ['test/support/aws/store-process.ts'], {
		env: { ...process.env, ...env, AWS_ENDPOINT_URL_DYNAMODB: proxy.url },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const lines = createInterface({ input: worker.stdout })[Symbol.asyncIterator]();
	const said = async (): Promise<unknown> => (await lines.next()).value;
	const asked = (line: string): Promise<unknown> => {
		worker.stdin.write(`${line}\n`);
		return said();
	};
	try {
		expect(await said()).toBe('ready');
		expect(await asked(`write ${KEPT}`)).toBe('done');
		worker.kill('SIGSTOP');
		expect(proxy.loseConnections()).toBeGreaterThanOrEqual(KEPT);
		worker.kill('SIGCONT');
		expect(await asked('read')).toBe('done');
		expect(proxy.askedInVain()).toBe(1);
		// If a try fails, the visitor has waited for it at most this long.
		expect(VISITOR_BUDGET.try_ms).toBeLessThanOrEqual(1000);
	} finally {
		worker.kill('SIGKILL');
		await once(worker, 'close');
		await proxy.stop();
	}
});
