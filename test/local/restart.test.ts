import { rmSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import { startStack } from '../../local/stack.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { STACK_OPTIONS } from '../support/stack/stack.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const state_dir = temporaryDirectory('call-back-restart-');
const options = { ...STACK_OPTIONS, state_dir };
afterAll(() => rmSync(state_dir, { recursive: true, force: true }));

it('a stack that restarts on other ports keeps its demo: site, key and inbox work there', async () => {
	const first = await startStack(options);
	// A developer subscribes the inbox a second time.
	const asDeveloper = { headers: { authorization: `Bearer ${first.api_key}` } };
	const second = { url: first.inbox_url, events: ['call.failed'] };
	const made = await call(first.base_url, '/webhook-endpoints', { body: second, ...asDeveloper });
	expect(made.status).toBe(201);
	await expect(startStack({ ...options, fresh: true })).rejects.toThrow(`A stack is running on ${state_dir} already`);
	await first.stop();

	const again = await startStack(options);
	try {
		expect([again.workspace_id, again.api_key]).toEqual([first.workspace_id, first.api_key]);
		expect(again.allowed_origin).toBe(again.console_url);
		expect(again.allowed_origin).not.toBe(first.allowed_origin);
		const endpoints = await call(again.base_url, '/webhook-endpoints', asDeveloper);
		expect(endpoints.json.data.map(({ url }: { url: string }) => url)).toEqual([again.inbox_url, again.inbox_url]);
		const headers = { origin: again.allowed_origin };
		const asked = await call(again.base_url, '/widget/call-requests', { body: visitorBody(again), headers });
		expect(asked.status).toBe(202);
		const { id } = asked.json.data;
		await eventually('the inbox gets its end, signed with the secret of the first start', async () => {
			const json = await fromConsole(again, '/inbox/demo');
			const ended = json.find(({ body }: { body: string }) => body.includes(id) && body.includes('call.completed'));
			return ended?.verified === true ? ended : null;
		});
	} finally {
		await again.stop();
	}
});
