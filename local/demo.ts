import { join } from 'node:path';
import { type OpsDeps, operatorDeps, readOperatorEnv } from '../ops/connect.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { callBackClient } from '../packages/client/client.ts';
import { limitNames } from '../shared/domain/access/limits.ts';
import { permissions } from '../shared/domain/access/permission.ts';
import { eventKinds } from '../shared/domain/webhooks/event.ts';
import { createApiKey } from '../shared/use-cases/access/api-keys.ts';
import { changePeople } from '../shared/use-cases/desk/people.ts';
import { changeWorkspace } from '../shared/use-cases/workspaces/change-workspace.ts';
import { createWorkspace } from '../shared/use-cases/workspaces/create-workspace.ts';
import { type Demo, readDemo, writeDemo } from './demo-file.ts';
import { writeWeek } from './demo-week.ts';
import { responseOf } from './listen/local-stack.ts';

/** Simulated team members. Both answer and press 1. The masks of their numbers differ. */
export const DEMO_TEAM = ['Ida Wells:+13125550101', 'Jonas Berg:+14155550119'];
const TEAM_EMAIL = 'team@shop.example';
const OWNER = 'ida@shop.example';
/** The limits are so high that no request is refused because of them. */
const LIMITS = Object.fromEntries(limitNames.map((name) => [name, 100_000]));

type DemoAddresses = { readonly base_url: string; readonly allowed_origin: string; readonly inbox_url: string };

/**
 * Reads the demo workspace of an earlier run. If there is none, creates it with the operators' use cases and the real API. If
 * the stack now runs on other ports, the workspace's origin and inbox are updated. `withHistory`: a new workspace gets two
 * weeks of calls and callback requests, so that its desk has something to show.
 */
export async function demoWorkspace(
	stateDir: string,
	operator: unknown,
	addresses: DemoAddresses,
	withHistory: boolean,
): Promise<Demo> {
	const file = join(stateDir, 'demo.json');
	const deps = await operatorDeps(readOperatorEnv(operator));
	const existing = readDemo(file);
	const demo = existing === null ? await newDemo(addresses, deps) : await movedDemo(existing, addresses, deps);
	const shop = existing === null && withHistory ? await deps.store.get('workspace', { id: demo.workspace_id }) : null;
	if (shop !== null) await writeWeek(shop, addresses.allowed_origin, deps);
	writeDemo(file, demo);
	return demo;
}

async function newDemo(addresses: DemoAddresses, deps: OpsDeps): Promise<Demo> {
	const created = await createWorkspace(
		{
			name: 'Demo shop',
			region: 'US',
			time_zone: 'America/New_York',
			origins: [addresses.allowed_origin],
			team: DEMO_TEAM,
			team_email: TEAM_EMAIL,
			limits: LIMITS,
		},
		deps,
	);
	if ('refused' in created) throw new Error(`the demo workspace was refused: ${created.refused}`);
	const { id: workspace_id, workspace_key } = created.workspace;
	await changePeople(workspace_id, { change: 'invite', address: OWNER, role: 'owner' }, deps);
	const key = await createApiKey({ workspace_id, name: 'demo', permissions }, deps);
	if ('refused' in key) throw new Error('the demo API key was refused');
	const inbox_secret = await subscribe(addresses, key.secret);
	const { allowed_origin, inbox_url } = addresses;
	return {
		workspace_id,
		workspace_key,
		api_key: key.secret,
		allowed_origin,
		inbox_url,
		desk_owner: OWNER,
		inbox_secret,
	};
}

async function movedDemo(demo: Demo, addresses: DemoAddresses, deps: OpsDeps): Promise<Demo> {
	const { allowed_origin, inbox_url } = addresses;
	if (demo.allowed_origin !== allowed_origin) await allowOrigin(demo.workspace_id, allowed_origin, deps);
	if (demo.inbox_url !== inbox_url) await moveInbox(demo, addresses);
	return { ...demo, allowed_origin, inbox_url };
}

async function allowOrigin(workspaceId: string, origin: string, deps: OpsDeps): Promise<void> {
	const workspace = await deps.store.get('workspace', { id: workspaceId });
	if (workspace === null)
		throw new OperatorError(
			'The demo workspace is gone from the table: restore the state directory, or choose another with --state-dir.',
		);
	if (workspace.origins.includes(origin)) return;
	await changeWorkspace(workspaceId, { origins: [...workspace.origins, origin] }, deps);
}

/**
 * Changes the URL of every endpoint of the inbox, also of those that the developer has made, so that pending deliveries go to
 * the new address, too.
 */
async function moveInbox(demo: Demo, { base_url, inbox_url }: DemoAddresses): Promise<void> {
	const { webhookEndpoints } = clientOf(base_url, demo.api_key);
	const endpoints = (await responseOf(webhookEndpoints.list())).filter(({ url }) => url === demo.inbox_url);
	// If the developer has deleted the endpoint, it is not created again.
	for (const { id } of endpoints) await responseOf(webhookEndpoints.change(id, { url: inbox_url }));
}

/** Subscribes the inbox to all events, as a customer would. Returns the signing secret. */
export async function subscribe({ base_url, inbox_url }: DemoAddresses, apiKey: string): Promise<string> {
	const body = { url: inbox_url, events: [...eventKinds], description: 'The inbox of this machine' };
	return (await responseOf(clientOf(base_url, apiKey).webhookEndpoints.create(body))).secret;
}

/** A client that retries often, because on a slow machine a function may need longer to start than the API waits for it. */
const clientOf = (base_url: string, api_key: string) => callBackClient({ base_url, api_key, max_retries: 10 });
