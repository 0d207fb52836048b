import type { WorkspaceLimits } from '../access/limits.ts';
import { visibleLine } from '../kernel/visible-line.ts';
import type { ConsentTexts } from './consent-text.ts';
import type { DeskPerson } from './desk-person.ts';
import type { BeforeHandover } from './handover.ts';
import type { Language } from './language.ts';
import type { Look } from './look.ts';
import type { PrivacyLinks } from './privacy-link.ts';
import { ringableMembers, type Silenced } from './silenced-members.ts';

/** A member of the team. The member's number is stored encrypted in another record. */
export type TeamMember = {
	/**
	 * A member keeps this id, even if the member's place in the team, name or number changes. No other member of the
	 * workspace ever gets this id.
	 */
	readonly id: string;
	/** The name by which colleagues know the member. Absent if no name was entered. */
	readonly name?: string;
	readonly phone_masked: string;
	/** When the member will be rung again (ISO 8601). If absent or in the past, the member is switched on. */
	readonly off_until?: string;
};

const MOST_FORMER = 20;

/** The new `former_members` after a change of the team. Empty if the former members stay the same. */
export function formerMembers(
	{ team, former_members = [] }: Pick<Workspace, 'team' | 'former_members'>,
	after: Workspace['team'],
): Pick<Workspace, 'former_members'> {
	const isNow = ({ id }: TeamMember) => after.some((member) => member.id === id);
	const left = team.filter((member) => !isNow(member));
	if (left.length === 0 && !former_members.some(isNow)) return {};
	return { former_members: [...former_members.filter((member) => !isNow(member)), ...left].slice(-MOST_FORMER) };
}

export const MEMBER_ID_PATTERN = /^m[1-9]\d{0,9}$/;

export function isOn({ off_until }: Pick<TeamMember, 'off_until'>, nowMs: number): boolean {
	return off_until === undefined || Date.parse(off_until) <= nowMs;
}

/** An address that was entered, but whose owner has not agreed yet. `by` is the person at the desk who entered it. */
export type AskedAddress = { readonly address: string; readonly by: string; readonly asked_at: string };

export const MOST_MEMBERS = 20;
export const MOST_NAME_CHARACTERS = 60;

/** A member as a person enters one: the name or null, and the number as typed. */
export type EnteredMember = { readonly name: string | null; readonly number: string };

/** Reads a member from a command line: `Ida Wells:+1 312 555 0101` or `+1 312 555 0101`. */
export function readMember(typed: string): EnteredMember {
	const colon = typed.lastIndexOf(':');
	const name = visibleLine(typed.slice(0, Math.max(0, colon)));
	return { name: name || null, number: typed.slice(colon + 1).trim() };
}

/**
 * In which way the team is rung: all at once, one after another, or one after another beginning with a different member
 * each time.
 */
export const ringStrategies = ['simultaneous', 'sequential', 'round_robin'] as const;
export type RingStrategy = (typeof ringStrategies)[number];
export const ringOrders = ['agent_first', 'visitor_first'] as const;
export type RingOrder = (typeof ringOrders)[number];

/**
 * Opening hours on one weekday (0 is Sunday), in minutes after local midnight. `to_minute` may be more than 1440, which
 * means the next day.
 */
export type OpenInterval = {
	readonly weekday: 0 | 1 | 2 | 3 | 4 | 5 | 6;
	readonly from_minute: number;
	readonly to_minute: number;
};
/** When the team takes calls. On `holidays` (local dates, `YYYY-MM-DD`) it takes no calls. */
export type BusinessHours = {
	readonly weekly: readonly OpenInterval[];
	readonly holidays: readonly string[];
};

/**
 * Where notices are posted. Everyone who knows the URL can post there, so the URL is stored encrypted. Operators see only
 * the URL's origin.
 */
export type TeamWebhook = { readonly origin: string; readonly sealed: string };
/** The owner under which the URL of a workspace is encrypted. */
export const teamWebhookOwner = (workspace_id: string) => ({ workspace_id, id: 'team-webhook' });

/**
 * Why a workspace can place no call for any visitor: because of its settings, because of the deployment, or because a limit
 * on its calls is reached.
 */
export const unavailableReasons = [
	'switched_off',
	'no_team',
	'no_agent_callable',
	'no_provider',
	'daily_limit',
	'window_limit',
] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];
/** The reasons that pass by themselves when a limit resets. */
export type SpentReason = Extract<UnavailableReason, 'daily_limit' | 'window_limit'>;

/**
 * The reason why a workspace can place no call until its settings, or the settings of the deployment, change. Null if there
 * is no such reason. `canDial`: whether a phone provider is set up.
 */
export function unavailability(workspace: Workspace, canDial: boolean): Exclude<UnavailableReason, SpentReason> | null {
	if (!workspace.calls_enabled) return 'switched_off';
	if (workspace.team.length === 0) return 'no_team';
	if (ringableMembers(workspace).length === 0) return 'no_agent_callable';
	return canDial ? null : 'no_provider';
}

export const WORKSPACE_KEY_PREFIX = 'wk_';

/** One customer, with its sites, its team and its rules. */
export type Workspace = {
	readonly id: string;
	readonly version: number;
	readonly name: string;
	/** ISO 3166-1 alpha-2: the team's region. By default, the workspace calls only numbers of this region. */
	readonly region: string;
	readonly language: Language;
	/** The team's time zone, by its current name in the tz database. Opening hours, pages, mails and files use it. */
	readonly time_zone: string;
	/** A public key. This key names the workspace in the widget but gives no access by itself. */
	readonly workspace_key: string;
	/** If `calls_enabled` is false, no call is placed. This is the switch for emergencies. */
	readonly calls_enabled: boolean;
	readonly origins: readonly string[];
	readonly allowed_regions: readonly string[];
	/**
	 * `allowed_prefixes`: number prefixes that are allowed although we refuse them by default. `refused_prefixes`: further
	 * number prefixes that are refused.
	 */
	readonly allowed_prefixes: readonly string[];
	readonly refused_prefixes: readonly string[];
	/** In the order of ringing. */
	readonly team: readonly TeamMember[];
	/**
	 * The members who were removed most recently, in the order of their removal. Their names are kept for calls and figures
	 * from the time when they were in the team.
	 */
	readonly former_members?: readonly TeamMember[];
	/**
	 * The members whose phones must not ring because of the prefixes and regions above. Absent if the rules were not applied
	 * to the team yet. Read this field with `isSilenced`.
	 */
	readonly silenced?: Silenced;
	/** How many members were ever added. The id of the next member has the next number. */
	readonly members_added: number;
	/** The mail address that gets the team's messages. Null if the team gets no mails. */
	readonly team_email: string | null;
	/**
	 * An address that a person at the desk has entered and whose owner has not agreed yet. Until the owner agrees,
	 * `team_email` stays in use. Null or absent if there is no such address.
	 */
	readonly team_email_asked?: AskedAddress | null;
	/**
	 * The desk before a recent change of its owners or of `team_email`. Read this field with `undoable`. Null or absent if
	 * there was no such change.
	 */
	readonly before_handover?: BeforeHandover | null;
	/**
	 * When the desk was last restored after a handover (ISO 8601). For a day after that, no other handover can be undone.
	 */
	readonly put_back_at?: string;
	/** Whether the team gets messages about calls that it did not answer. */
	readonly tells_missed_calls: boolean;
	/**
	 * The channels that get messages about missed calls. If this field is absent, every channel that is set up gets these
	 * messages.
	 */
	readonly missed_calls_to?: readonly ('mail' | 'chat')[];
	/** Where the team's messages are posted, such as a Slack channel. Null if they are not posted. */
	readonly team_webhook: TeamWebhook | null;
	/** The number that people see when we call, in E.164. If null, people see the number of the deployment. */
	readonly caller_number: string | null;
	readonly ring_strategy: RingStrategy;
	readonly ring_order: RingOrder;
	/** Read these with `limitsOf`. */
	readonly limits: Partial<WorkspaceLimits>;
	/** Null if the team is always open. */
	readonly business_hours: BusinessHours | null;
	/**
	 * The opening hours that a team had, or had entered, before it chose to be always open. The form of the opening hours shows
	 * them again. Absent if there were none. It has no meaning while `business_hours` is not null.
	 */
	readonly hours_before?: BusinessHours;
	/** The team takes no calls until this time (ISO 8601). If this is null or in the past, there is no pause. */
	readonly paused_until: string | null;
	readonly desk: readonly DeskPerson[];
	/**
	 * The text for pages that do not know `consent_texts`. A text other than `PLAIN_CONSENT` also replaces our default
	 * texts for every language and purpose.
	 */
	readonly consent_text: string;
	readonly consent_texts: ConsentTexts;
	/** The ids of the workspace's own texts for a call that also allow a call back. Absent if none of these texts does. */
	readonly call_back_texts?: readonly string[];
	readonly privacy_links: PrivacyLinks;
	/** The look of the widget. Read this field with `lookOf`. */
	readonly look?: Look;
	/** The latest test call. Absent if there was none. */
	readonly test_call_id?: string;
	readonly created_at: string;
};
