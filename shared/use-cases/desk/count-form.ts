import { apiCount } from '../../domain/workspaces/rate-limit.ts';
import { limitsOf } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AtDesk } from './enter-desk.ts';

/**
 * Counts a form of the developers' pages against the limits of the API, as if the desk were one more key: a stolen session can
 * do no more than a stolen key. `slow_operation`: the operation of the API that the form stands for, if that is slow.
 */
export async function countForm(
	{ workspace }: AtDesk,
	slow_operation: string | null,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const use = { workspace_id: workspace.id, api_key_id: 'desk', limits: limitsOf(workspace), slow_operation };
	return (await store.count(apiCount(use, clock.now()).count)).counted;
}
