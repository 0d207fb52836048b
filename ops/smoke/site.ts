import { join } from 'node:path';
import * as z from 'zod/mini';
import { permissions } from '../../shared/domain/access/permission.ts';
import { createApiKey, revokeApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { connect, type OpsDeps } from '../connect.ts';
import { deployedStack } from '../deployed-stack.ts';
import { readJsonFile } from '../input/read-json.ts';
import { OperatorError } from '../operator-error.ts';
import type { Site } from './probe.ts';

const ORIGIN = 'https://smoke-test.example';
/**
 * A simulated team member who answers and presses 1. If the provider is not the simulator, the workspace of the smoke test
 * places no calls.
 */
const TEAM = ['+13125550101'];
const PLENTY = 1000;
const LIMITS = {
	calls_per_number_per_day: PLENTY,
	requests_per_address_per_window: PLENTY,
	requests_per_workspace_per_window: PLENTY,
	calls_per_day: PLENTY,
};

type Options = {
	readonly outputs?: string | undefined;
	readonly stateDir?: string | undefined;
	readonly profile?: string | undefined;
	readonly inbox?: string | undefined;
	readonly inboxShows?: string | undefined;
};
type Target = Pick<Site, 'base_url' | 'provider' | 'inbox' | 'mailbox'>;

const Local = z.object({
	base_url: z.string(),
	console_url: z.string(),
	console_key: z.string(),
	inbox_url: z.string(),
});
const Outputs = z.object({ CallBackBaseUrl: z.string(), CallBackTelephonyProvider: z.string() });

/**
 * The local stack, which has a simulated phone network. Its webhook inbox accepts any name at the end of its address, and keeps
 * the webhooks of each name apart. This run uses a name of its own.
 */
function onThisMachine(stateDir: string): Target {
	const { base_url, console_url, console_key, inbox_url } = readJsonFile(
		join(stateDir, 'stack.json'),
		Local,
		'start the stack first (npm start)',
	);
	const name = `smoke-${Date.now()}`;
	const inbox = { url: inbox_url.replace(/[^/]+$/, name), shows: `${console_url}/inbox/${name}#key=${console_key}` };
	return { base_url, provider: 'simulator', inbox, mailbox: `${console_url}/mailbox#key=${console_key}` };
}

function deployedTarget(outputs: string, { inbox: url, inboxShows: shows }: Options): Target {
	const { CallBackBaseUrl: base_url, CallBackTelephonyProvider: provider } = Outputs.parse(
		deployedStack(outputs).outputs,
	);
	const inbox = url !== undefined && shows !== undefined ? { url, shows } : null;
	return { base_url, provider, inbox, mailbox: null };
}

/**
 * Creates a workspace for the smoke test. The workspace is not deleted. `close` switches its calls off and revokes its
 * keys.
 */
export async function openSite(options: Options): Promise<Site & { close(): Promise<void> }> {
	const { outputs, stateDir: state_dir, profile } = options;
	const target = outputs === undefined ? onThisMachine(state_dir ?? '.local') : deployedTarget(outputs, options);
	const deps = await connect({ outputs, state_dir, profile });
	const created = await createWorkspace(
		{ name: 'Smoke test', region: 'US', time_zone: 'America/New_York', origins: [ORIGIN], team: TEAM, limits: LIMITS },
		deps,
	);
	if ('refused' in created) throw new OperatorError(`the workspace of the smoke test was refused: ${created.refused}`);
	const { id: workspace_id, workspace_key } = created.workspace;
	const all = await keyOf(workspace_id, permissions, deps);
	const reading = await keyOf(workspace_id, ['calls:read'], deps);
	return {
		...target,
		origin: ORIGIN,
		workspace_id,
		workspace_key,
		deps,
		api_key: all.secret,
		reading_key: reading.secret,
		async close() {
			await changeWorkspace(workspace_id, { calls_enabled: false }, deps);
			for (const { key } of [all, reading]) await revokeApiKey(key, deps);
		},
	};
}

async function keyOf(
	workspace_id: string,
	permissions: Parameters<typeof createApiKey>[0]['permissions'],
	deps: OpsDeps,
) {
	const created = await createApiKey({ workspace_id, name: 'smoke test', permissions }, deps);
	if ('refused' in created) throw new OperatorError('an API key of the smoke test was refused');
	return created;
}
