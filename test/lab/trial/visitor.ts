import { setTimeout as pause } from 'node:timers/promises';
import { call, eventually, visitorBody } from '../../support/stack/api.ts';
import type { DeployedApi } from './deployed-api.ts';
import { aws } from './deployer.ts';
import { type Account, program } from './deployment.ts';
import { SUPPRESSED } from './first-day.ts';
import { say } from './run.ts';

const ORIGIN = 'https://shop.example';
const CALL_MS = 90_000;
const VISITOR = '+12025550101';

export type Service = { readonly base_url: string; readonly outputs_file: string; readonly api: DeployedApi };
type Shop = { readonly workspace_id: string; readonly workspace_key: string };

/** Runs a command of `npm run ops`. Returns what it printed, as JSON. */
const ops = async ({ outputs_file }: Service, { env }: Account, ...args: readonly string[]) =>
	JSON.parse(await program(['ops/main.ts', ...args, '--outputs', outputs_file], env));

const SHOP = ['--name', 'Shop', '--region', 'US', '--time-zone', 'America/New_York', '--origin', ORIGIN];

/** Follows a visitor's call from the request to its end. Returns the workspace. Throws if the call does not complete. */
export async function placeCall(service: Service, account: Account): Promise<Shop> {
	const { base_url } = service;
	const team = ['--team', '+13125550101', '--team-email', SUPPRESSED];
	const { id: workspace_id, workspace_key } = await ops(service, account, 'workspace', 'create', ...SHOP, ...team);
	const of = ['--workspace', workspace_id, '--permission', 'calls:read'];
	const { api_key } = await ops(service, account, 'api-key', 'create', ...of);
	say('workspace and API key created by npm run ops');
	const headers = { origin: ORIGIN, 'idempotency-key': 'the-first-call' };
	const body = visitorBody({ workspace_key, allowed_origin: ORIGIN }, { phone: VISITOR });
	const asked = await call(base_url, '/widget/call-requests', { body, headers });
	if (asked.status !== 202) throw new Error(`the call was answered with ${asked.status}: ${asked.text}`);
	const { id } = asked.json.data;
	let status = '';
	for (const deadline = Date.now() + CALL_MS; !['completed', 'failed'].includes(status); await pause(200)) {
		if (Date.now() > deadline) break;
		const now = await call(base_url, `/widget/call-requests/${id}/status`, { headers: { origin: ORIGIN } });
		if (now.json.data.status !== status) say(`call ${now.json.data.status}`);
		status = now.json.data.status;
	}
	const read = await call(base_url, `/calls/${id}`, { headers: { authorization: `Bearer ${api_key}` } });
	say(`the call, as a server reads it: ${read.status} ${JSON.stringify(read.json.data)}`);
	if (status !== 'completed')
		throw new Error(
			`the call is ${status}: ${JSON.stringify(await ops(service, account, 'call', 'show', '--call', id))}`,
		);
	return { workspace_id, workspace_key };
}

/**
 * Leaves a lead. The team's mail address is on the suppression list of SES, so the mail about the lead has to count as failed,
 * and the log has to name the masked address.
 */
export async function mailIsBlocked(
	service: Service,
	account: Account,
	{ workspace_id, ...site }: Shop,
): Promise<void> {
	const body = visitorBody({ ...site, allowed_origin: ORIGIN }, { phone: VISITOR });
	const headers = { origin: ORIGIN, 'idempotency-key': 'the-first-lead' };
	const left = await call(service.base_url, '/widget/callback-leads', { body, headers });
	if (left.status !== 201) throw new Error(`the lead was answered with ${left.status}: ${left.text}`);
	const letters = await eventually('the failed mail', async () => {
		const found = await ops(service, account, 'dlq', 'list');
		return JSON.stringify(found).includes('notice') ? found : null;
	});
	say(`the mail to the team failed: ${JSON.stringify(letters)}`);
	const lines = await eventually('the log', async () => {
		const found = await logged('notifyteam', 'address blocked', account);
		return found.length > 0 ? found : null;
	});
	say(`the log of notify-team: ${lines.join(' ').trim()}`);
	if (lines.join('').includes(SUPPRESSED)) throw new Error('the log has the address');
}

/** The lines that contain this text, in the log groups with this word in their name. */
async function logged(of: string, text: string, account: Account): Promise<readonly string[]> {
	const { logGroups } = await aws(['logs', 'describe-log-groups'], account);
	const names: readonly string[] = logGroups.map(({ logGroupName }: { logGroupName: string }) => logGroupName);
	const found: string[] = [];
	for (const name of names.filter((each) => each.includes(of))) {
		const { events } = await aws(['logs', 'filter-log-events', '--log-group-name', name], account);
		found.push(...events.map(({ message }: { message: string }) => message));
	}
	return found.filter((line) => line.includes(text));
}

/** Runs `ops erase` for the visitor. */
export async function erase(service: Service, account: Account, { workspace_id }: Shop): Promise<void> {
	const receipt = await ops(service, account, 'erase', '--workspace', workspace_id, '--phone', VISITOR);
	say(`the receipt of the erasure: ${JSON.stringify(receipt)}`);
	if (receipt.provider_records_left.length > 0) throw new Error('the provider kept records');
}
