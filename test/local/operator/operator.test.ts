import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { operatorAt } from '../../support/operator.ts';
import { call, eventually, visitorBody } from '../../support/stack/api.ts';
import { operatedStack } from '../../support/stack/suite-stack.ts';

// The operator's command line on a running stack, as a person uses it.

const { stack, ops: connected } = operatedStack();

/** Runs `npm run ops -- …`. With `typed`, the command runs in a separate process that reads this text from standard input. */
async function ops(args: readonly string[], typed?: string) {
	const { code, out, err } = typed === undefined ? await inThisProcess(args) : await inProcess(args, typed);
	return { code, out, err, json: out === '' ? null : JSON.parse(out) };
}
async function inThisProcess(args: readonly string[]) {
	const { code, out, err } = await operatorAt(connected)(...args);
	return { code, out, err: err === '' ? '' : `${err}\n` };
}
async function inProcess(args: readonly string[], typed: string) {
	const child = spawn(process.execPath, ['ops/main.ts', ...args, '--state-dir', stack.state_dir], { stdio: 'pipe' });
	const said = { out: '', err: '' };
	child.stdout.on('data', (chunk: Buffer) => {
		said.out += chunk.toString('utf8');
	});
	child.stderr.on('data', (chunk: Buffer) => {
		said.err += chunk.toString('utf8');
	});
	child.stdin.end(typed);
	const [code] = await once(child, 'close');
	return { code, ...said };
}
const ask = (path: string, phone: string) =>
	call(stack.base_url, `/widget/${path}`, {
		body: visitorBody(stack, { phone }),
		headers: { origin: stack.allowed_origin },
	});
const read = async (path: string) =>
	(await call(stack.base_url, path, { headers: { authorization: `Bearer ${stack.api_key}` } })).json.data;

describe('an operator', () => {
	it('changes a workspace and sees the new settings, without numbers', async () => {
		const { workspace_id: id } = stack;
		const off = await ops(['workspace', 'set', '--workspace', id, '--calls', 'off', '--team', '+12025550101']);
		expect([off.code, off.err]).toEqual([0, '']);
		expect(off.json).toMatchObject({ calls_enabled: false, team: [{ phone_masked: '+1********01' }] });
		expect((await ask('call-requests', '+12025550110')).json.code).toBe('calls_unavailable');
		const on = await ops([
			'workspace',
			'set',
			'--workspace',
			id,
			'--calls',
			'on',
			'--calls-per-number-per-day',
			'1000',
		]);
		expect(on.json.limits.calls_per_number_per_day).toBe(1000);
		const shown = await ops(['workspace', 'show', '--workspace', id]);
		expect(shown.json).toEqual(on.json);
		expect(shown.out).not.toContain('555010');
	});

	it('is told whom new rules would silence, and changes the rules only after a confirmation; then the widget is closed', async () => {
		const about = ['--name', 'Ruled', '--region', 'US', '--time-zone', 'America/New_York'];
		const team = ['--team', 'Ida Wells:+12025550101', '--team', 'Ben:+13125550102'];
		const origin = 'https://ruled.example';
		const made = await ops(['workspace', 'create', ...about, ...team, '--origin', origin]);
		const { id, workspace_key } = made.json;
		const set = (...rules: string[]) => ops(['workspace', 'set', '--workspace', id, ...rules]);
		const config = async () => {
			const query = `/widget/config?workspace_key=${workspace_key}`;
			return (await call(stack.base_url, query, { headers: { origin } })).json.data;
		};
		for (const [rules, names] of [
			[['--region', 'GB', '--allowed-region', 'GB'], 'Ida Wells (+1********01), Ben (+1********02)'],
			[['--refuse-prefix', '+1202'], 'Ida Wells (+1********01)'],
		] as const) {
			const refused = await set(...rules);
			expect([refused.code, refused.out]).toEqual([1, '']);
			expect(refused.err).toContain(`${names} would not be rung any more`);
		}
		expect(await config()).toMatchObject({ open: true });
		const silenced = await set('--region', 'GB', '--allowed-region', 'GB', '--silence-members');
		expect(silenced.json).toMatchObject({ not_rung: ['m1', 'm2'] });
		expect(silenced.err).toContain('No call is possible: the widget is closed');
		expect(await config()).toMatchObject({ open: false, unavailable: 'no_agent_callable' });
		const back = await set('--region', 'US', '--allowed-region', 'US');
		expect(back.json).not.toHaveProperty('not_rung');
		expect(await config()).toMatchObject({ open: true, unavailable: null });
	});

	it('switches a member off until a date, which closes a shop without other members, and on again', async () => {
		const shown = await ops(['workspace', 'show', '--workspace', stack.workspace_id]);
		const member = (name: string, ...more: string[]) =>
			ops(['workspace', name, '--workspace', stack.workspace_id, '--member', shown.json.team[0].id, ...more]);
		const off = await member('member-off', '--back', '2099-01-02');
		expect([off.code, off.json.team[0].off_until]).toEqual([0, '2099-01-02T05:00:00.000Z']);
		const refused = await ask('call-requests', '+12025550110');
		expect(refused.json).toMatchObject({ code: 'outside_business_hours', next_open_at: '2099-01-02T05:00:00.000Z' });
		expect((await member('member-off', '--back', 'soon')).code).toBe(2);
		expect((await member('member-on', '--member', 'Eve')).err).toContain('names no member');
		const on = await member('member-on');
		expect([on.code, on.json.team[0].off_until]).toEqual([0, undefined]);
	});

	it('gets one sentence that says what is wrong and what to type instead', async () => {
		const bad = await ops(['workspace', 'set', '--workspace', stack.workspace_id, '--allowed-region', 'XX']);
		expect([bad.code, bad.err]).toEqual([1, 'no numbering plan is known for the region XX\n']);
		const usage = await ops(['workspaces']);
		expect([usage.code, usage.err]).toEqual([2, expect.stringContaining('(Did you mean workspace?)')]);
		const empty = ['workspace', 'create', '--name', 'Empty', '--region', 'US'];
		const unclear = await ops(empty);
		expect(unclear.err).toMatch(
			/^--time-zone is required: teams in US can be in America\/Adak, .*Pacific\/Honolulu\n$/,
		);
		const made = await ops([...empty, '--time-zone', 'america/new_york']);
		expect([made.code, made.json.team, made.json.time_zone]).toEqual([0, [], 'America/New_York']);
		expect(made.err).toContain('No call is possible yet: the workspace has no team');
		expect(made.err).toContain('No call is possible yet: no site may show the widget');
		const listed = await ops(['workspace', 'list']);
		expect(listed.json).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ id: stack.workspace_id, name: 'Demo shop' }),
				expect.objectContaining({ id: made.json.id, name: 'Empty', team: 0, origins: [] }),
			]),
		);
	});

	it('suppresses a number that is read from standard input, erases the person with this number, and gets a receipt', async () => {
		const numbered = ['--workspace', stack.workspace_id];
		const lead = await ask('callback-leads', '+12025550103');
		const asked = await ask('call-requests', '+12025550103');
		expect([lead.status, asked.status]).toEqual([201, 202]);

		const added = await ops(['suppress', 'add', ...numbered], '+1 (202) 555-0103\n');
		expect(added.json).toMatchObject({ phone_masked: '+1********03', suppressed: true, changed: true });
		expect((await ask('callback-leads', '+12025550103')).json.code).toBe('rate_limited');
		expect((await ops(['suppress', 'check', ...numbered, '--phone', '-'], '+12025550103')).json.suppressed).toBe(true);
		await ops(['suppress', 'remove', ...numbered, '--phone', '+12025550103'], '');

		const agreed = await ops(['consent', 'show', ...numbered], '+1 (202) 555-0103\n');
		expect(agreed.json.phone_masked).toBe('+1********03');
		expect(agreed.json.consents.map((one: { readonly for: string; readonly id: string }) => [one.for, one.id])).toEqual(
			[
				['lead', lead.json.data.id],
				['call', asked.json.data.id],
			],
		);
		for (const one of agreed.json.consents) {
			expect(one).toMatchObject({ origin: stack.allowed_origin, page_url: expect.stringContaining('/pricing') });
			expect(one.text).toEqual(expect.stringMatching(/\w/));
			// Four years, as 28 U.S.C. 1658(a) requires.
			const fourYears = new Date(one.given_at).setUTCFullYear(new Date(one.given_at).getUTCFullYear() + 4);
			expect(Date.parse(one.kept_until)).toBeGreaterThan(fourYears);
		}
		expect(agreed.out).not.toContain('5550103');

		const records = () =>
			['phone-network.json', 'phones.jsonl'].map((name) => readFileSync(join(stack.state_dir, name), 'utf8'));
		const trace = new RegExp(`5550103|${added.json.phone_masked.replaceAll(/[+*]/g, '\\$&')}|${asked.json.data.id}`);
		await eventually('the provider has records', async () => records().every((text) => trace.test(text)) || null);

		const erased = await ops(['erase', ...numbered], '+12025550103\n');
		expect(erased.code).toBe(0);
		// Two kinds of lines may appear: the progress of a long run, and the message that the network refuses to delete the record
		// of a leg in progress.
		expect(erased.err).toMatch(/^(?:\d of 2 calls and leads erased\n|The provider still has records .*\n)*$/);
		expect(erased.json).toMatchObject({
			phone_masked: '+1********03',
			calls_kept_masked: 1,
			leads_kept_masked: 1,
			leads_dismissed: 1,
			names_removed: 2,
			// This is the number of the call. The suppression had already removed the number of the lead.
			sealed_numbers_removed: 1,
			consents_removed: 2,
			usage_removed: true,
		});
		expect(added.out + erased.out).not.toMatch(/5550103/);
		expect(await read(`/callback-leads/${lead.json.data.id}`)).toMatchObject({ name: null, status: 'dismissed' });
		await eventually('the call is over', async () =>
			(await read(`/calls/${asked.json.data.id}`)).completed_at ? true : null,
		);
		await eventually('the provider forgets the call', async () => {
			const { json } = await ops(['telephony', 'forget', '--call', asked.json.data.id]);
			return json.left.length === 0 || null;
		});
		for (const text of records()) expect(text).not.toMatch(trace);
		const again = await ops(['erase', ...numbered], '+12025550103');
		expect(again.err).toBe('No record has this number.\n');
		expect(again.json).toMatchObject({ names_removed: 0, consents_removed: 0, usage_removed: false });
		const wrong = await ops(['erase', ...numbered], 'nobody\n');
		expect([wrong.code, wrong.err]).toEqual([1, 'the number is not valid in international format (+1 202 …)\n']);
	});

	it('manages webhook endpoints, whose secrets are printed once', async () => {
		const of = ['--workspace', stack.workspace_id];
		const made = await ops(['endpoint', 'create', ...of, '--url', stack.inbox_url, '--header', 'X-Team: shop']);
		expect([made.code, made.err]).toEqual([0, '']);
		expect(made.json).toMatchObject({ url: stack.inbox_url, status: 'enabled', header_names: ['x-team'] });
		expect(made.json.secret).toMatch(/^whsec_/);
		const { id } = made.json;
		const endpoint = (name: string, ...more: string[]) => ops(['endpoint', name, ...of, '--endpoint', id, ...more]);
		expect((await endpoint('test', '--event', 'call.completed')).json).toMatchObject({
			response_status: 200,
			error: null,
		});
		const changed = await endpoint('set', '--event', 'callback.requested', '--no-headers');
		expect(changed.json).toMatchObject({ events: ['callback.requested'], header_names: [] });
		const rotated = await endpoint('rotate', '--overlap-seconds', '60');
		expect(rotated.json.secret).toMatch(/^whsec_/);
		expect(rotated.json.secret).not.toBe(made.json.secret);
		expect((await endpoint('disable')).json).toMatchObject({ status: 'disabled', disabled_reason: 'manual' });
		expect((await endpoint('recover', '--since', '2026-01-01')).err).toContain('the endpoint is disabled');
		const counted = await endpoint('recover', '--since', '2026-01-01', '--missing', '--dry-run');
		expect(counted.json).toMatchObject({ dry_run: true, queued: 0, complete: true });
		expect((await ask('callback-leads', '+12025550111')).status).toBe(201);
		const held = await eventually('a delivery is held', async () => {
			const deliveries = await read(`/webhook-deliveries?status=held&endpoint_id=${id}`);
			return deliveries.length > 0 ? deliveries.length : null;
		});
		const enabled = await endpoint('enable');
		expect(enabled.json.status).toBe('enabled');
		const [, since = ''] =
			/^1 held since (\S+); endpoint recover --since \1 sends them again\.\n$/.exec(enabled.err) ?? [];
		const sent = await endpoint('recover', '--since', since);
		expect(sent.json).toMatchObject({ matched: held, queued: held, complete: true });
		const shown = await ops(['endpoint', 'list', ...of]);
		expect(shown.out + changed.out + sent.out).not.toContain('whsec_');
		expect((await endpoint('delete')).json).toEqual({ endpoint_id: id, deleted: true });
		expect((await endpoint('delete')).err).toContain('no endpoint with this id');
	});

	it.each([
		[
			['create', '--url', 'https://10.0.0.1/hook'],
			/^--url: The host leads to an address that is not on the public internet/,
		],
		[['create', '--url', 'https://shop.example/hook', '--event', 'call.complete'], /events\/0: one of call\.requested/],
		[['create', '--url', 'https://shop.example/hook', '--header', 'Host: evil'], /headers/],
		[['create', '--url', 'https://shop.example/hook', '--header', 'none'], /It takes "Name: value"/],
		[['rotate', '--endpoint', 'x', '--overlap-seconds', '604801'], /overlap_seconds: an integer from 0 to 604800/],
		[['enable', '--endpoint', 'x'], /no endpoint with this id/],
		[['test', '--endpoint', 'x'], /no endpoint with this id/],
		[['recover', '--endpoint', 'x', '--since', '2026-01-01'], /no endpoint with this id/],
	])('reads what is wrong with the arguments of endpoint: %j', async (args, said) => {
		const refused = await ops(['endpoint', ...args, '--workspace', stack.workspace_id]);
		expect(refused.code).toBeGreaterThan(0);
		expect(refused.err).toMatch(said);
	});
});
