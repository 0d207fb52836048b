import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Mail } from '../../local/mail.ts';
import type { Stack } from '../../local/stack.ts';
import { type OpsDeps, operatorDeps, readOperatorEnv } from '../../ops/connect.ts';
import { createWorkspace } from '../../shared/use-cases/create-workspace.ts';
import { call, eventually, visitorBody } from '../support/api.ts';
import { testStack } from '../support/stack.ts';

const ORIGIN = 'https://teams.example';

let stack: Stack;
let ops: OpsDeps;
beforeAll(async () => {
	stack = await testStack();
	ops = await operatorDeps(readOperatorEnv(JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8'))));
}, 60_000);
afterAll(() => stack.stop());

type Site = { readonly workspace_key: string; readonly allowed_origin: string };

/** Another customer, whose team has that address. */
async function teamAt(team_email: string | null): Promise<Site> {
	const team = ['+13125550101'];
	const made = await createWorkspace({ name: 'Team', region: 'US', origins: [ORIGIN], team, team_email }, ops);
	if ('refused' in made) throw new Error(made.refused);
	return { workspace_key: made.workspace.workspace_key, allowed_origin: ORIGIN };
}

async function leave(phone: string, name: string | null, site: Site = stack): Promise<string> {
	const headers = { origin: site.allowed_origin };
	const answer = await call(stack.base_url, '/widget/callback-leads', {
		headers,
		body: visitorBody(site, { phone, name }),
	});
	expect(answer.status).toBe(201);
	return answer.json.data.id;
}

const mailbox = async (): Promise<readonly Mail[]> => (await fetch(`${stack.console_url}/mailbox`)).json() as never;
const mailTo = (to: string, subject: string) =>
	eventually(`mail ${subject}`, async () => {
		const found = (await mailbox()).filter((mail) => mail.to === to && mail.subject.includes(subject));
		return found[0] ?? null;
	});

describe('a lead', () => {
	it('is told to the team by mail, with the mask of the number and nothing else of it', async () => {
		await leave('+12025550121', 'Ada');
		const mail = await mailTo('team@shop.example', 'Ada');
		expect(mail.subject).toBe('Call back: Ada, +1********21');
		expect(mail.text).toContain(`${stack.allowed_origin}/pricing`);
		expect(JSON.stringify(mail)).not.toContain('2025550121');
	});

	it('is told to nobody where the team has no address', async () => {
		const id = await leave('+12025550122', 'Nobody', await teamAt(null));
		expect(await ops.store.get('team_notice', { id })).toBeNull();
	});

	it('is told after a second try when the mail service was busy', async () => {
		await leave('+12025550123', 'Bea', await teamAt('busy@teams.example'));
		await mailTo('busy@teams.example', 'Bea');
	});

	it('is answered all the same, and given up after the schedule, while the mail service is down', async () => {
		const id = await leave('+12025550124', 'Cay', await teamAt('down@teams.example'));
		const notice = await eventually('given up', async () => {
			const found = await ops.store.get('team_notice', { id });
			return found?.status === 'pending' ? null : found;
		});
		expect(notice).toMatchObject({ status: 'failed', attempt_count: 3, due_at: null });
	});
});

it('the log of the functions holds no address, name, page or number of all this', () => {
	const logs = readdirSync(join(stack.state_dir, 'logs')).map((file) =>
		readFileSync(join(stack.state_dir, 'logs', file), 'utf8'),
	);
	const said = logs.join('\n');
	expect(said).toContain('team told');
	expect(said).not.toMatch(/@shop\.example|@teams\.example|Ada|pricing|20255501\d\d/);
});
