import type { Call } from '../../domain/calls/call.ts';
import type { NumberRefusal } from '../../domain/calls/number-usage.ts';
import { used } from '../../domain/leads/callback-link.ts';
import { localeOf, type TeamLocale } from '../../domain/workspaces/language.ts';
import { dailyCount } from '../../domain/workspaces/rate-limit.ts';
import type { TeamMember } from '../../domain/workspaces/team-member.ts';
import { limitsOf, type Workspace } from '../../domain/workspaces/workspace.ts';
import { StoreBusy } from '../../ports/store.ts';
import type { CallDeps } from '../calls/advance-call.ts';
import { placeCall, UNAVAILABLE_RETRY_SECONDS } from '../calls/place-call.ts';
import { findCallbackLink, type LinkRefusal, type OpenLink } from './find-callback-link.ts';

type Deps = CallDeps & { readonly can_dial: boolean };
type PlaceRefusal =
	| { readonly refused: 'member_unknown' }
	| NumberRefusal
	| { readonly refused: 'calls_unavailable'; readonly retry_after_seconds: number };
/** `locale` is the team's. */
export type ConfirmRefusal = LinkRefusal | (PlaceRefusal & { readonly locale: TeamLocale });
type Confirmed = { readonly call: Call; readonly member: TeamMember; readonly locale: TeamLocale };

type PlacedByLink = { readonly call: Call } | PlaceRefusal | 'again';

const TRIES = 20;

/** A member's phone as it is offered and chosen: place, mask and name, so that a team that changes between rings no one else. */
export function phoneChoices({ team }: Pick<Workspace, 'team'>): readonly string[] {
	return team.map(({ phone_masked, name }, position) => [position, phone_masked, name ?? []].flat().join(' '));
}

/**
 * A team member uses the link: the member's phone rings first, then, once 1 is pressed, the visitor's. The link is used up
 * in the transaction that makes the call, so of any number of confirmations one makes one. A number may have some calls
 * by links beyond those that visitors may ask for in a day: a person decides, and once for each lead.
 */
export async function confirmCallback(
	{ token, phone }: { readonly token: string; readonly phone: string },
	deps: Deps,
): Promise<Confirmed | ConfirmRefusal> {
	for (let attempt = 0; attempt < TRIES; attempt += 1) {
		const found = await findCallbackLink(token, deps);
		if ('refused' in found) return found;
		const { workspace } = found;
		const locale = localeOf(workspace);
		const position = phoneChoices(workspace).indexOf(phone);
		const member = workspace.team[position];
		if (member === undefined) return { refused: 'member_unknown', locale };
		if (!workspace.calls_enabled || !deps.can_dial) {
			return { refused: 'calls_unavailable', retry_after_seconds: UNAVAILABLE_RETRY_SECONDS, locale };
		}
		const placed = await place(found, position, deps);
		if (placed === 'again') continue;
		if ('call' in placed) return { call: placed.call, member, locale };
		return { ...placed, locale };
	}
	throw new StoreBusy('the link is being used too often at once');
}

/** The call, or why there is none. Where another member has used the link, or it got one more secret: 'again'. */
async function place({ link, lead, workspace }: OpenLink, member: number, deps: Deps): Promise<PlacedByLink> {
	const now = deps.clock.now();
	const limits = limitsOf(workspace);
	const { name: visitor_name, visitor_phone_masked, source_url, id: lead_id } = lead;
	const guard = { if: 'version', version: link.version } as const;
	const placed = await placeCall(
		{
			...{ workspace, visitor_name, visitor_phone_masked, source_url, lead_id },
			number_hash: link.number_hash,
			plan: { strategy: 'sequential', order: 'agent_first', members: [member] },
			window_open: Promise.resolve(true),
			calls_per_number_per_day: limits.calls_per_number_per_day + limits.link_calls_per_number_per_day,
			counts: [dailyCount({ workspace_id: workspace.id, limits }, now)],
			alongside: ({ id }) => [{ op: 'put', record: 'callback_link', item: used(link, id, now), guard }],
			keep: () => [],
		},
		deps,
	);
	if (placed === 'again' || 'call' in placed) return placed;
	if (placed.refused === 'alongside') return 'again';
	if (placed.refused === 'window_spent' || placed.refused === 'rate_limited') throw new Error('a link has no window');
	return placed;
}
