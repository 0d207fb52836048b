import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { PLAIN_CONSENT } from '../../domain/workspaces/consent-text.ts';
import { isEmailAddress } from '../../domain/workspaces/email-address.ts';
import type { Language } from '../../domain/workspaces/language.ts';
import { isStorableOrigin } from '../../domain/workspaces/origin.ts';
import type {
	BusinessHours,
	RingOrder,
	RingStrategy,
	Workspace,
	WorkspaceLimits,
} from '../../domain/workspaces/workspace.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { PhoneNumbers } from '../../ports/phone-numbers.ts';
import type { Store } from '../../ports/store.ts';
import type { NumberSealer } from '../../ports/vault.ts';
import { withConsentTexts } from './with-consent-texts.ts';
import { originWrites, teamOf, teamWrites } from './workspace-writes.ts';

export type CreateWorkspaceInput = {
	readonly name: string;
	readonly region: string;
	readonly origins: readonly string[];
	/** The team's language; by default that of its region. */
	readonly language?: Language | undefined;
	/** The members in the order in which they are tried, each in the format of `readMember`. */
	readonly team: readonly string[];
	readonly allowed_regions?: readonly string[];
	readonly allowed_prefixes?: readonly string[] | undefined;
	readonly refused_prefixes?: readonly string[] | undefined;
	readonly ring_strategy?: RingStrategy | undefined;
	readonly ring_order?: RingOrder | undefined;
	readonly limits?: Partial<WorkspaceLimits>;
	readonly calls_enabled?: boolean | undefined;
	readonly business_hours?: BusinessHours | null;
	readonly consent_text?: string | undefined;
	readonly consent_texts?: WorkspaceSettings['consent_texts'];
	/** The recipients of callback leads. */
	readonly team_email?: string | null | undefined;
};
export type CreateWorkspaceOutcome =
	| { readonly workspace: Workspace }
	| { readonly refused: 'origin_invalid' | 'team_number_invalid' | 'team_email_invalid'; readonly value: string };

/** Creates a workspace with its public key, its origins and its team, in one transaction. Seals team numbers at once. */
export async function createWorkspace(
	input: CreateWorkspaceInput,
	deps: {
		readonly store: Store;
		readonly clock: Clock;
		readonly ids: Ids;
		readonly sealer: NumberSealer;
		readonly numbers: PhoneNumbers;
	},
): Promise<CreateWorkspaceOutcome> {
	const badOrigin = input.origins.find((origin) => !isStorableOrigin(origin));
	if (badOrigin !== undefined) return { refused: 'origin_invalid', value: badOrigin };
	const { team_email = null } = input;
	if (team_email !== null && !isEmailAddress(team_email)) return { refused: 'team_email_invalid', value: team_email };
	const team = teamOf(input.team, deps);
	if ('refused' in team) return team;
	const id = deps.ids.next();
	const workspace: Workspace = {
		id,
		version: 1,
		name: input.name,
		region: input.region,
		...(input.language !== undefined && { language: input.language }),
		workspace_key: `wk_${Buffer.from(deps.ids.random(18)).toString('base64url')}`,
		calls_enabled: input.calls_enabled ?? true,
		origins: input.origins,
		allowed_regions: input.allowed_regions ?? [input.region],
		allowed_prefixes: input.allowed_prefixes ?? [],
		refused_prefixes: input.refused_prefixes ?? [],
		team: team.members,
		team_email,
		ring_strategy: input.ring_strategy ?? 'simultaneous',
		ring_order: input.ring_order ?? 'agent_first',
		limits: input.limits ?? {},
		business_hours: input.business_hours ?? null,
		consent_text: input.consent_text ?? PLAIN_CONSENT,
		consent_texts: withConsentTexts({}, input.consent_texts),
		created_at: new Date(deps.clock.now()).toISOString(),
	};
	const guard = { if: 'absent' } as const;
	const outcome = await deps.store.commit([
		{ op: 'put', record: 'workspace', item: workspace, guard },
		{ op: 'put', record: 'workspace_key', item: { workspace_key: workspace.workspace_key, workspace_id: id }, guard },
		...originWrites(id, [], workspace.origins),
		...teamWrites(id, [], team),
	]);
	if (!outcome.committed) throw new Error('a fresh workspace id was taken');
	return { workspace };
}
