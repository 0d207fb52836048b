import type { WorkspaceLimits } from '../access/limits.ts';
import { visibleLine } from '../kernel/visible-line.ts';
import type { ConsentTexts } from './consent-text.ts';
import type { DeskPerson } from './desk-person.ts';
import type { BeforeHandover } from './handover.ts';
import type { Language } from './language.ts';
import type { Look } from './look.ts';
import type { PrivacyLinks } from './privacy-link.ts';
import { ringableMembers, type Silenced } from './silenced-members.ts';

/** A member of the team. The number itself is sealed elsewhere. */
export type TeamMember = {
	/** For life: a move, another name or another number keeps it, and no other member of the workspace ever gets it. */
	readonly id: string;
	/** The member's name for colleagues; absent if none was given. */
	readonly name?: string;
	readonly phone_masked: string;
	/** When the member is rung again (ISO 8601); absent, or in the past: the member is on. */
	readonly off_until?: string;
};

const MOST_FORMER = 20;

/** The members who have left, after a change of the team; empty: none has. */
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

/** `by`: the person of the desk who entered it. */
export type AskedAddress = { readonly address: string; readonly by: string; readonly asked_at: string };

export const MOST_MEMBERS = 20;
export const MOST_NAME_CHARACTERS = 60;

/** A member as a person enters one: the name, or null, and the number as it was typed. */
export type EnteredMember = { readonly name: string | null; readonly number: string };

/** Reads a member of a command line: `Ida Wells:+1 312 555 0101` or `+1 312 555 0101`. */
export function readMember(typed: string): EnteredMember {
	const colon = typed.lastIndexOf(':');
	const name = visibleLine(typed.slice(0, Math.max(0, colon)));
	return { name: name || null, number: typed.slice(colon + 1).trim() };
}

/** How the team is rung: all at once, one after another, or one after another from a rotating start. */
export const ringStrategies = ['simultaneous', 'sequential', 'round_robin'] as const;
export type RingStrategy = (typeof ringStrategies)[number];
export const ringOrders = ['agent_first', 'visitor_first'] as const;
export type RingOrder = (typeof ringOrders)[number];

/** Opening hours of one weekday (0 is Sunday), local wall-clock minutes since midnight; `to_minute` may pass 1440 into the next day. */
export type OpenInterval = {
	readonly weekday: 0 | 1 | 2 | 3 | 4 | 5 | 6;
	readonly from_minute: number;
	readonly to_minute: number;
};
/** When the team takes calls. `holidays` are local `YYYY-MM-DD` dates on which it does not. */
export type BusinessHours = {
	readonly weekly: readonly OpenInterval[];
	readonly holidays: readonly string[];
};

/** Anyone who knows the URL can post there, so it is sealed; operators see only its origin. */
export type TeamWebhook = { readonly origin: string; readonly sealed: string };
/** The owner for which the URL is sealed: its workspace. */
export const teamWebhookOwner = (workspace_id: string) => ({ workspace_id, id: 'team-webhook' });

/** Why a workspace places no call for any visitor: a fact of the workspace, of its deployment, or of its day. */
export const unavailableReasons = [
	'switched_off',
	'no_team',
	'no_agent_callable',
	'no_provider',
	'daily_limit',
	'window_limit',
] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];
/** The reasons that pass by themselves, when a limit starts again. */
export type SpentReason = Extract<UnavailableReason, 'daily_limit' | 'window_limit'>;

/** The reason why a workspace can place no call until settings change; null: none. `canDial`: there is a provider. */
export function unavailability(workspace: Workspace, canDial: boolean): Exclude<UnavailableReason, SpentReason> | null {
	if (!workspace.calls_enabled) return 'switched_off';
	if (workspace.team.length === 0) return 'no_team';
	if (ringableMembers(workspace).length === 0) return 'no_agent_callable';
	return canDial ? null : 'no_provider';
}

export const WORKSPACE_KEY_PREFIX = 'wk_';

/** One customer: its sites, its team, its rules. */
export type Workspace = {
	readonly id: string;
	readonly version: number;
	readonly name: string;
	/** ISO 3166-1 alpha-2: the team's region, and by default the only region that the workspace calls. */
	readonly region: string;
	readonly language: Language;
	/** The team's clock, by its name today (tz database): hours, pages, mails and files use it. */
	readonly time_zone: string;
	/** Public: identifies the workspace in the widget, but gives no access by itself. */
	readonly workspace_key: string;
	/** False is the kill switch: no call is placed. */
	readonly calls_enabled: boolean;
	readonly origins: readonly string[];
	readonly allowed_regions: readonly string[];
	/** Number prefixes that are allowed although refused by default, and prefixes that are refused. */
	readonly allowed_prefixes: readonly string[];
	readonly refused_prefixes: readonly string[];
	/** In the order of ringing. */
	readonly team: readonly TeamMember[];
	/** The members who left last, newest last: the figures of their days name them. */
	readonly former_members?: readonly TeamMember[];
	/** The members whose phones the rules above do not let ring; absent: not decided yet. Read it with `isSilenced`. */
	readonly silenced?: Silenced;
	/** How many members were ever added. The next one gets the next number in its id. */
	readonly members_added: number;
	/** The mail address for callback leads; null: no mail is sent. */
	readonly team_email: string | null;
	/** An address that a person of the desk has entered, until its mailbox agrees; until then `team_email` stays. Null or absent: none. */
	readonly team_email_asked?: AskedAddress | null;
	/** The desk before its owners or `team_email` changed lately. Read it with `undoable`. Null or absent: they did not. */
	readonly before_handover?: BeforeHandover | null;
	/** When that was last put back (ISO 8601): for a day, nothing more is put back. */
	readonly put_back_at?: string;
	/** Whether the team is notified of calls that it did not answer. */
	readonly tells_missed_calls: boolean;
	/** The channels that get them meanwhile; absent: each that is set up. */
	readonly missed_calls_to?: readonly ('mail' | 'chat')[];
	/** Where we post callback leads, such as a Slack channel; null: nowhere. */
	readonly team_webhook: TeamWebhook | null;
	/** The number that people see when we call, in E.164; null: the deployment's. */
	readonly caller_number: string | null;
	readonly ring_strategy: RingStrategy;
	readonly ring_order: RingOrder;
	/** Read these with `limitsOf`. */
	readonly limits: Partial<WorkspaceLimits>;
	/** Null: always open. */
	readonly business_hours: BusinessHours | null;
	/** Closed until then (ISO 8601); null or in the past: not paused. */
	readonly paused_until: string | null;
	readonly desk: readonly DeskPerson[];
	/**
	 * The text for pages that do not know `consent_texts`. Unless it is `PLAIN_CONSENT`, it also replaces our default texts for
	 * every language and case.
	 */
	readonly consent_text: string;
	readonly consent_texts: ConsentTexts;
	/** The ids of its own texts for a call that cover a call back; absent: none does. */
	readonly call_back_texts?: readonly string[];
	readonly privacy_links: PrivacyLinks;
	/** The widget's. Read it with `lookOf`. */
	readonly look?: Look;
	/** The latest test call; absent: there was none. */
	readonly test_call_id?: string;
	readonly created_at: string;
};
