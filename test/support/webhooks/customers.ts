import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from '../../../local/stack.ts';
import { type OpsDeps, operatorDeps, readOperatorEnv } from '../../../ops/connect.ts';
import type { ApiKey } from '../../../shared/domain/access/api-key.ts';
import type { WorkspaceLimits } from '../../../shared/domain/access/limits.ts';
import { type Permission, permissions } from '../../../shared/domain/access/permission.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { createApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { createWorkspace } from '../../../shared/use-cases/workspaces/create-workspace.ts';
import { everyLimit } from '../every-limit.ts';
import { always, put } from '../writes.ts';

/** The dependencies of an operator's commands on this stack: with them, a test can do everything that `npm run ops` can. */
export async function operatorOf(stack: Pick<Stack, 'state_dir'>): Promise<OpsDeps> {
	return await operatorDeps(readOperatorEnv(JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8'))));
}

/** A customer, with the credentials that its own server and pages use. `api_key` has every permission. */
export type Customer = {
	readonly workspace_id: string;
	readonly workspace_key: string;
	readonly allowed_origin: string;
	readonly api_key: string;
};

const PLENTY = 100_000;
const GENEROUS = everyLimit(PLENTY);

let customers = 0;

/** Creates another workspace, as an operator does. Without `limits`, its limits are higher than any test needs. */
export async function newCustomer(ops: OpsDeps, limits: Partial<WorkspaceLimits> = {}): Promise<Customer> {
	customers += 1;
	const allowed_origin = `https://shop-${customers}.example`;
	const input = {
		name: `Customer ${customers}`,
		region: 'US',
		time_zone: 'America/New_York',
		origins: [allowed_origin],
		team: ['+13125550101'],
	};
	const made = await createWorkspace({ ...input, limits: { ...GENEROUS, ...limits } }, ops);
	if ('refused' in made) throw new Error(made.refused);
	const { id: workspace_id, workspace_key } = made.workspace;
	const { secret: api_key } = await newKey(ops, workspace_id, permissions);
	return { workspace_id, workspace_key, allowed_origin, api_key };
}

/** Creates another workspace with settings that no single operator command can set. */
export async function newCustomerWith(ops: OpsDeps, changes: Partial<Workspace>): Promise<Customer> {
	const customer = await newCustomer(ops);
	const before = await ops.store.get('workspace', { id: customer.workspace_id });
	if (before === null) throw new Error('the workspace is gone');
	await ops.store.commit([put('workspace', { ...before, ...changes }, always)]);
	return customer;
}

/** Creates another API key of a workspace. `secret` is the text that the key's owner sends. */
export async function newKey(
	ops: OpsDeps,
	workspace_id: string,
	allowed: readonly Permission[],
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
	const made = await createApiKey({ workspace_id, name: 'test', permissions: allowed }, ops);
	if ('refused' in made) throw new Error(made.refused);
	return made;
}

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

// Area codes of the United States. Each has a hundred numbers that are reserved for fiction (555-0100 to 0199).
const AREAS = [
	201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229, 231, 234,
	239, 240, 248, 251, 252, 253,
];
let numbers = 0;
let talkers = 0;

/**
 * A number that no call of the tests has used, because a workspace allows one live call per number. No subscriber has this
 * number.
 */
export function freshPhone(): string {
	numbers += 1;
	return `+1${AREAS[Math.floor(numbers / 80) % AREAS.length]}55501${String((numbers % 80) + 20)}`;
}

/**
 * A number whose last two digits tell the simulator how its phone behaves. The first 29 numbers have different area codes;
 * after that, the area codes repeat.
 */
export function freshPhoneWho(ending: string): string {
	talkers += 1;
	return `+1${AREAS[talkers % AREAS.length]}55501${ending}`;
}

/** A number that no call has used. Its person answers, and stays until the other side ends the call. */
export const freshTalker = (): string => freshPhoneWho('10');
