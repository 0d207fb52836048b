import { limitsOf } from '../../domain/access/limits.ts';
import { dailyCount } from '../../domain/access/rate-limit.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { NumberRefusal } from '../../domain/calls/number-usage.ts';
import { callbackLinkAfterUse } from '../../domain/notices/callback-link.ts';
import { localeOf, type TeamLocale } from '../../domain/workspaces/language.ts';
import { isSilenced } from '../../domain/workspaces/silenced-members.ts';
import type { TeamMember } from '../../domain/workspaces/workspace.ts';
import type { CallDeps } from '../calls/advance-call.ts';
import { type PlacedCall, proposeCall, UNAVAILABLE_RETRY_SECONDS } from '../calls/place-call.ts';
import { change, mapProposal, type Proposal } from '../kernel/unit-of-work.ts';
import { findCallbackLink, type LinkRefusal, type OpenLink } from './find-callback-link.ts';

type Deps = CallDeps & { readonly can_dial: boolean };
type PlaceRefusal =
	| { readonly refused: 'member_unknown' | 'member_not_callable' }
	| NumberRefusal
	| { readonly refused: 'calls_unavailable'; readonly retry_after_seconds: number };
/** `locale` is the locale of the team. */
export type ConfirmRefusal = LinkRefusal | (PlaceRefusal & { readonly locale: TeamLocale });

export type ConfirmResult =
	| {
			readonly outcome: 'confirmed';
			readonly call: Call;
			readonly member: TeamMember;
			readonly locale: TeamLocale;
	  }
	| ({ readonly outcome: 'refused' } & ConfirmRefusal);

/**
 * Places the call of a team member's link. The call first rings the member's phone. After the member has pressed 1, the call
 * rings the visitor's phone. `phone` is the member's id. The transaction that creates the call also marks the link as used,
 * so that several confirmations create only one call. The limit of calls to a number in a day is higher for links than for
 * visitors' requests, because a member decides on each call.
 */
export async function confirmCallback(
	{ token, phone }: { readonly token: string; readonly phone: string },
	deps: Deps,
): Promise<ConfirmResult> {
	const result = await change<OpenLink | LinkRefusal, ConfirmResult>(
		{
			read: () => findCallbackLink(token, deps),
			decide: async (linkOrRefusal) => {
				const refuse = (refusal: ConfirmRefusal) => ({ result: { outcome: 'refused', ...refusal } as const });
				if ('refused' in linkOrRefusal) return refuse(linkOrRefusal);
				const { workspace, lead } = linkOrRefusal;
				// The visitor's data was erased, so the link no longer works.
				if (lead.number_hash === undefined) return refuse({ refused: 'link_not_valid' });
				const locale = localeOf(workspace);
				const member = workspace.team.find(({ id }) => id === phone);
				if (member === undefined) return refuse({ refused: 'member_unknown', locale });
				if (isSilenced(member, workspace)) return refuse({ refused: 'member_not_callable', locale });
				if (!workspace.calls_enabled || !deps.can_dial) {
					return refuse({ refused: 'calls_unavailable', retry_after_seconds: UNAVAILABLE_RETRY_SECONDS, locale });
				}
				return mapProposal(await proposeByLink(linkOrRefusal, lead.number_hash, member.id, deps), (outcome) => {
					if (outcome.outcome === 'placed') return { outcome: 'confirmed', call: outcome.call, member, locale };
					return { outcome: 'refused', ...refusalOf(outcome), locale };
				});
			},
		},
		deps.store,
	);
	if (result.outcome === 'confirmed') return result;
	// If the number was refused because another confirmation has just started a call to it, return that the link was used.
	const link = await findCallbackLink(token, deps);
	return 'refused' in link ? { outcome: 'refused', ...link } : result;
}

/**
 * Proposes the call that the link asks for. The call is committed only if the link's record has not changed since it was
 * read. The record changes if another member uses the link, and whenever the link gets another secret, for a new message or
 * for *Call back* on the desk. If the record has changed, `change` reads it again, and this function is called again.
 */
function proposeByLink(
	{ link, lead, workspace }: OpenLink,
	number_hash: string,
	member: string,
	deps: Deps,
): Promise<Proposal<PlacedCall>> {
	const nowMs = deps.clock.now();
	const limits = limitsOf(workspace);
	const { name: visitor_name, visitor_phone_masked, source_url, id, reference } = lead;
	const guard = { if: 'version', version: link.version } as const;
	return proposeCall(
		{
			workspace,
			visitor_name,
			visitor_phone_masked,
			source_url,
			reference,
			...(lead.of === 'call' ? { calls_back: id } : { lead_id: id }),
			number_hash,
			former_hashes: [],
			plan: { strategy: 'sequential', order: 'agent_first', members: [member] },
			calls_per_number_per_day: limits.calls_per_number_per_day + limits.link_calls_per_number_per_day,
			counts: [dailyCount({ workspace_id: workspace.id, limits }, nowMs)],
			alsoWrite: ({ id }) => ({
				link: { op: 'put', record: 'callback_link', item: callbackLinkAfterUse(link, id, nowMs), guard },
			}),
		},
		deps,
	);
}

function refusalOf(outcome: Exclude<PlacedCall, { readonly outcome: 'placed' }>): PlaceRefusal {
	if (outcome.outcome === 'number_refused') return outcome.refusal;
	if (outcome.refusal.code === 'rate_limited') {
		throw new Error('a link has no window');
	}
	return { refused: outcome.refusal.code, retry_after_seconds: outcome.refusal.retry_after_seconds };
}
