import { countIn, periodAt } from '../../domain/access/rate-limit.ts';
import { secretNotices } from '../../domain/notices/secret-notice.ts';
import type { AboutSecret, SecretMade, TeamNotice } from '../../domain/notices/team-notice.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { newNoticeWrite, sendNotices } from './new-notices.ts';
import type { NoticePlan } from './notice-plan.ts';

/**
 * How many secrets may be made at a desk in a day. Every new secret is mailed to every owner. With this limit, a person
 * with a stolen session cannot flood the owners with mails.
 */
const MOST_SECRETS_A_DAY = 30;

/** Counts one more secret that is made at the desk. False if the limit for today is reached. */
export async function countSecret(workspaceId: string, { store, clock }: Pick<Ports, 'store' | 'clock'>) {
	const day = periodAt(24 * 3600, clock.now());
	return (await store.count(countIn(day, `desk-secrets#${workspaceId}`, { used: MOST_SECRETS_A_DAY }))).counted;
}

/**
 * Notifies every owner by mail of a new secret. Put `writes` into the secret's transaction and call `send` after it. If
 * `send` fails, the sweep sends the notices.
 */
export function tellOwners(
	workspace: Pick<Workspace, 'id' | 'desk'>,
	fact: Omit<SecretMade, 'at' | 'owner'>,
	{ ids, clock, queues }: Pick<Ports, 'ids' | 'clock' | 'queues'>,
): { readonly writes: readonly Write[]; readonly send: () => Promise<unknown> } {
	const nowMs = clock.now();
	const notices: readonly TeamNotice[] = secretNotices(workspace, fact, ids.next(nowMs), nowMs);
	return {
		writes: notices.map(newNoticeWrite),
		send: () => sendNotices(notices, queues),
	};
}

/**
 * The message about a new secret. If the recipient is no longer an owner, there is no message. `link_base_url` is the
 * address of the API, ending in /v1.
 */
export async function planSecret(
	{ workspace_id, made }: AboutSecret,
	{ store, link_base_url }: Pick<Ports, 'store'> & { readonly link_base_url: string },
): Promise<NoticePlan> {
	const workspace = await store.get('workspace', { id: workspace_id });
	const isOwner = workspace?.desk.some(({ address, role }) => address === made.owner && role === 'owner') ?? false;
	if (!isOwner) return { tell: false, status: 'canceled', code: 'not_wanted' };
	const page = made.what === 'key_created' ? 'keys' : 'webhooks';
	return { tell: true, about: { made, desk_url: `${link_base_url}/desk/developers/${page}` }, writes: [] };
}
