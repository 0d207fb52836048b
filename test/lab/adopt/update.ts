import { aws } from '../trial/deployer.ts';
import { type Account, type Outputs, program } from '../trial/deployment.ts';
import { say } from '../trial/run.ts';
import { callersOf } from './callers.ts';

// Checks what an update of a stack must not change: its outputs, its resources, and the calls in progress.

/** Team members, each in a separate workspace, because a member takes one call at a time. */
const MEMBERS = ['+13125550171', '+13125550172', '+13125550173', '+13125550174'];
const PLENTY = ['requests-per-address-per-window', 'requests-per-workspace-per-window', 'calls-per-day'].flatMap(
	(name) => [`--${name}`, '10000'],
);

/** Creates workspaces with an operator's commands. Returns their ids and keys. */
export async function workspacesOn(packed: string, outputsFile: string, { env }: Account) {
	const shop = ['--name', 'Shop', '--region', 'US', '--time-zone', 'America/New_York'];
	const made: { readonly id: string; readonly workspace_key: string }[] = [];
	for (const member of MEMBERS) {
		const more = ['--origin', 'https://shop.example', '--team', member, ...PLENTY, '--outputs', outputsFile];
		made.push(JSON.parse(await program([packed, 'ops', 'workspace', 'create', ...shop, ...more], env)));
	}
	return made;
}

/** The physical ids of a stack's resources by logical id. The keys also contain the type. */
async function resourcesOf(stack: string, account: Account): Promise<ReadonlyMap<string, string>> {
	const { StackResourceSummaries } = await aws(
		['cloudformation', 'list-stack-resources', '--stack-name', stack],
		account,
	);
	const rows: readonly { ResourceType: string; LogicalResourceId: string; PhysicalResourceId?: string }[] =
		StackResourceSummaries;
	return new Map(
		rows.map(({ ResourceType, LogicalResourceId, PhysicalResourceId = '' }) => [
			`${ResourceType} ${LogicalResourceId}`,
			PhysicalResourceId,
		]),
	);
}

/** Outputs that differ in each release: the pinned script, and its integrity value. */
const OF_RELEASE = ['CallBackWidgetPinnedScript', 'CallBackWidgetIntegrity'];
function sameOutputs(former: Outputs, now: Outputs): void {
	const changed = Object.keys(former).filter((name) => !OF_RELEASE.includes(name) && former[name] !== now[name]);
	if (changed.length > 0) throw new Error(`after the update, other outputs: ${changed.join(', ')}`);
	say(`updated in place: ${Object.keys(former).length} outputs have their names and values`);
}

type Updating = {
	readonly stack: string;
	readonly base_url: string;
	readonly workspace_keys: readonly string[];
	readonly former: Outputs;
	/** The numbers that the provider has dialled so far. */
	readonly dialled: () => readonly string[];
};

/**
 * Updates the stack while visitors call. Throws if a resource was replaced, if a call was lost or dialled twice, or if an
 * output changed. Only outputs that name the release may change.
 */
export async function updateUnderCalls<Updated extends { readonly outputs: Outputs }>(
	{ stack, base_url, workspace_keys, former, dialled }: Updating,
	account: Account,
	update: () => Promise<Updated>,
): Promise<Updated> {
	const before = await resourcesOf(stack, account);
	const callers = callersOf(base_url, workspace_keys);
	await callers.firstEnded;
	say(`${callers.inProgress()} calls are in progress when the update begins`);
	const updated = await update();
	say(`${callers.inProgress()} calls are in progress when the update ends`);
	const calls = await callers.stop();
	sameOutputs(former, updated.outputs);
	const after = await resourcesOf(stack, account);
	const replaced = [...before].filter(([name, id]) => after.has(name) && after.get(name) !== id).map(([name]) => name);
	if (replaced.length > 0) throw new Error(`replaced: ${replaced.join(', ')}`);
	const removed = [...before.keys()].filter((name) => !after.has(name));
	say(
		`${before.size - removed.length} of ${before.size} resources are the same; removed: ${removed.join(', ') || 'none'}`,
	);
	const lost = calls.filter(({ status }) => status !== 'completed');
	if (lost.length > 0) throw new Error(`calls are lost: ${JSON.stringify(lost)}`);
	const numbers = dialled();
	const again = calls.filter(({ visitor }) => numbers.filter((number) => number === visitor).length !== 1);
	if (again.length > 0 || numbers.length !== 2 * calls.length)
		throw new Error(`${numbers.length} phones were dialled for ${calls.length} calls: ${JSON.stringify(again)}`);
	const repeated = calls.filter(({ tries }) => tries > 1).length;
	say(`${calls.length} calls completed, each phone dialled once; ${repeated} requests were repeated`);
	return updated;
}
