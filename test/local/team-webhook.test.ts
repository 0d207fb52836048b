import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { operatorAt } from '../support/operator.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { operatedStack } from '../support/stack/suite-stack.ts';

// Follows a lead into the team's chat: from the operator's command, through encryption and the worker's role, to the post and its
// link.

const { stack, ops: deps } = operatedStack();
const ops = operatorAt(deps);

const set = (url: string) => ops('workspace', 'set', '--workspace', stack.workspace_id, '--team-webhook', url);
const posts = async (): Promise<readonly { readonly body: string }[]> => await fromConsole(stack, '/inbox/secret-chat');
const calls = async () =>
	(await call(stack.base_url, '/calls', { headers: { authorization: `Bearer ${stack.api_key}` } })).json.data;

it('a chat gets each lead at its URL, which is never shown again; a preview of the link to a lead places no call', async () => {
	const url = new URL('secret-chat', stack.inbox_url).href;
	const done = await set(url);
	expect([done.code, JSON.parse(done.out).team_webhook]).toEqual([0, new URL(url).origin]);
	const shown = await ops('workspace', 'show', '--workspace', stack.workspace_id);
	expect(done.out + shown.out).not.toContain('secret-chat');

	const lead = await call(stack.base_url, '/widget/callback-leads', {
		body: visitorBody(stack, { phone: '+12025550137' }),
		headers: { origin: stack.allowed_origin },
	});
	expect(lead.status).toBe(201);
	const { text } = await eventually('the lead is posted', async () => {
		const [post] = await posts();
		return post === undefined ? null : JSON.parse(post.body);
	});
	expect(text).toContain('Ada asked to be called back.');
	expect(text).not.toMatch(/2025550137|555 0137/);
	const link = /https?:\/\/\S+\/callback-links\/\S+/.exec(text)?.[0] ?? '';

	for (const agent of ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'SkypeUriPreview Preview/0.5']) {
		const preview = await fetch(link, { headers: { 'user-agent': agent } });
		expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
		expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
	}
	expect(await calls()).toEqual([]);
	expect((await posts()).length).toBe(1);

	const folder = join(stack.state_dir, 'logs');
	const said = await eventually('the log says so', async () => {
		const all = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
		return /"fact":"notice".*"outcome":"sent"/.test(all.join('')) ? all.join('') : null;
	});
	expect(said).not.toContain('secret-chat');
});

it.each([
	['http://hooks.slack.com/services/x', 'The URL must be https.'],
	['https://10.0.0.1/hook', 'The host leads to an address that is not on the public internet.'],
	['https://[fd00::1]:8443/hook', 'The host leads to an address that is not on the public internet.'],
	['https://chat.internal/hook', 'The host name is local or reserved, never public.'],
	['https://8.8.8.8:1/hook', 'Port 1 is not allowed.'],
])('a chat at %s, to which no message may be posted, is refused with the reason', async (url, reason) => {
	const bad = await set(url);
	expect([bad.code, bad.err]).toEqual([1, `--team-webhook takes an https URL, or none. ${reason}`]);
});

it('an operator can remove the chat of a workspace', async () => {
	expect(JSON.parse((await set('none')).out).team_webhook).toBeNull();
});
