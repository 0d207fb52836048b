import { type DeskPage, type DeveloperPage, developerPages, type MenuPage } from '../../contract/desk/desk-pages.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import type { DeskPerson, DeskRole } from '../../domain/workspaces/desk-person.ts';
import type { DeskTexts } from '../../presentation/desk-texts.ts';
import type { HttpRequest } from '../edge/request.ts';

// The actions of the desk's forms with the roles that may use them, and the pages that each role sees. shop-actions.ts and
// developer-actions.ts have the code of the actions.

/**
 * Changes that a person makes with a link from a message, or that an operator makes by printing a link. The audit list has
 * a word for each of them, but no page has a form for them.
 */
export const linkChanges = ['signed_in', 'link_printed', 'notices_agreed', 'put_back'] as const;
type ChangeWord = keyof DeskTexts['changes'];
type ActionWord = Exclude<ChangeWord, (typeof linkChanges)[number]>;

type Row = {
	/**
	 * The word that the form sends and that the audit list stores. It never changes, because entries and open pages of older
	 * releases contain it.
	 */
	readonly word: ActionWord;
	/** The page to which the action belongs. Other pages may have its form, too. */
	readonly page: MenuPage;
	/** The roles that may use the action, in addition to owners, who may use every action. */
	readonly roles: readonly Exclude<DeskRole, 'owner'>[];
	/**
	 * `in_form`: the note about what was done stands below the form's own button. If absent, the note stands at the head of
	 * the page.
	 */
	readonly note?: 'in_form';
};

export const deskActions = {
	'pause-calls': { word: 'paused', page: 'today', roles: ['member'] },
	'resume-calls': { word: 'resumed', page: 'today', roles: ['member'] },
	'call-back': { word: 'lead_called', page: 'today', roles: ['member'] },
	'handle-request': { word: 'lead_handled', page: 'today', roles: ['member'] },
	'dismiss-request': { word: 'lead_dismissed', page: 'today', roles: ['member'] },
	'reopen-request': { word: 'lead_reopened', page: 'today', roles: ['member'] },
	'do-not-call': { word: 'number_suppressed', page: 'today', roles: ['member'] },
	'leave-desk': { word: 'desk_left', page: 'today', roles: ['member', 'developer'] },
	'save-hours': { word: 'hours', page: 'hours', roles: [], note: 'in_form' },
	'add-member': { word: 'member_added', page: 'team', roles: [] },
	'edit-member': { word: 'member_changed', page: 'team', roles: [] },
	'remove-member': { word: 'member_removed', page: 'team', roles: [] },
	'put-member-back': { word: 'member_put_back', page: 'team', roles: [] },
	'move-member-up': { word: 'member_moved', page: 'team', roles: [] },
	'switch-member-off': { word: 'member_off', page: 'team', roles: [] },
	'switch-member-on': { word: 'member_on', page: 'team', roles: [] },
	'save-ringing': { word: 'ringing', page: 'team', roles: [], note: 'in_form' },
	'place-test-call': { word: 'test_called', page: 'team', roles: [] },
	'save-site': { word: 'site', page: 'site', roles: [], note: 'in_form' },
	'save-look': { word: 'look', page: 'site', roles: [], note: 'in_form' },
	'save-consent': { word: 'consent', page: 'site', roles: [], note: 'in_form' },
	'save-notices': { word: 'notices', page: 'notices', roles: [], note: 'in_form' },
	'test-notices': { word: 'notices_tested', page: 'notices', roles: [] },
	'invite-person': { word: 'person_invited', page: 'people', roles: [] },
	'rename-person': { word: 'person_renamed', page: 'people', roles: [] },
	'remove-person': { word: 'person_removed', page: 'people', roles: [] },
	'end-sessions': { word: 'sessions_ended', page: 'people', roles: [] },
	'create-endpoint': { word: 'endpoint_created', page: 'webhooks', roles: ['developer'] },
	'change-endpoint': { word: 'endpoint_changed', page: 'webhooks', roles: ['developer'], note: 'in_form' },
	'enable-endpoint': { word: 'endpoint_enabled', page: 'webhooks', roles: ['developer'] },
	'disable-endpoint': { word: 'endpoint_disabled', page: 'webhooks', roles: ['developer'] },
	'test-endpoint': { word: 'endpoint_tested', page: 'webhooks', roles: ['developer'] },
	'rotate-secret': { word: 'secret_rotated', page: 'webhooks', roles: ['developer'] },
	'delete-endpoint': { word: 'endpoint_deleted', page: 'webhooks', roles: ['developer'] },
	'recover-deliveries': { word: 'deliveries_recovered', page: 'webhooks', roles: ['developer'] },
	'retry-delivery': { word: 'delivery_retried', page: 'deliveries', roles: ['developer'] },
	'create-key': { word: 'key_created', page: 'keys', roles: ['developer'] },
	'revoke-key': { word: 'key_revoked', page: 'keys', roles: ['developer'] },
} as const satisfies Readonly<Record<string, Row>>;

type Table = typeof deskActions;
export type ActionName = keyof Table;
export type DeveloperAction = {
	[Name in ActionName]: Table[Name]['page'] extends DeveloperPage ? Name : never;
}[ActionName];
export type ShopAction = Exclude<ActionName, DeveloperAction>;

/** Forms that change the session and not the workspace. So the audit list of this desk has no entry for them. */
export const sessionForms = { signOut: 'signed_out', switchDesk: 'desk_switched' } as const;
export type SessionForm = (typeof sessionForms)[keyof typeof sessionForms];

/** The word that a form sends for an action. */
export const wordOf = (action: ActionName | SessionForm): string =>
	isAction(action) ? deskActions[action].word : action;

const isAction = (name: string): name is ActionName => Object.hasOwn(deskActions, name);
/** Every action, in the order of the pages. */
export const actionNames: readonly ActionName[] = Object.keys(deskActions).filter(isAction);
/** The action that has this word in a form or in an entry of the audit list. Undefined if no action has the word. */
export const actionOf = (word = ''): ActionName | undefined => actionNames.find((name) => wordOf(name) === word);

/**
 * Whether the note about what was done stands below the button of the form with this word. If so, the head of the page does
 * not show this note.
 */
export function hasOwnNote(word: string): boolean {
	const name = actionOf(word);
	const row: Row | undefined = name && deskActions[name];
	return row?.note === 'in_form';
}

/** The query of the page that follows a saved form. If the note stands below the form's button, the page opens at the note. */
export const savedQuery = (word: string): string => `saved=${word}${hasOwnNote(word) ? '#said' : ''}`;

export function mayDo({ role }: Pick<DeskPerson, 'role'>, action: ActionName): boolean {
	const { roles }: Row = deskActions[action];
	return role === 'owner' || roles.includes(role);
}

/** Whether the person with this address may make API keys now, but could not make them in the role `role`. */
export const losesKeys = (address: string, role: DeskRole, desk: readonly DeskPerson[]): boolean =>
	!mayDo({ role }, 'create-key') && desk.some((each) => each.address === address && mayDo(each, 'create-key'));

/** The pages that each role sees. An owner sees every page. */
export const pagesOfRole: Readonly<Record<Exclude<DeskRole, 'owner'>, readonly DeskPage[]>> = {
	member: ['today', 'calls', 'numbers', 'calls.csv', 'leads.csv', 'sources.csv', 'desks', 'desk.js'],
	developer: [...developerPages, 'log', 'desks', 'desk.js'],
};

export const maySee = ({ role }: Pick<DeskPerson, 'role'>, page: DeskPage): boolean =>
	role === 'owner' || pagesOfRole[role].includes(page);

/**
 * Whether the person may open the page with this query. A developer may open the page of one call or callback request, to which
 * the page of a delivery leads, but not the list of calls. For a developer, that page has no form, no name and no note.
 */
export const mayOpen = (person: Pick<DeskPerson, 'role'>, page: DeskPage, query: HttpRequest['query']): boolean =>
	maySee(person, page) ||
	(page === 'calls' && maySee(person, 'deliveries') && ID_PATTERN.test(query['id'] ?? query['lead'] ?? ''));

/** The page that is shown after the sign-in. */
export const firstPage = ({ role }: Pick<DeskPerson, 'role'>): DeskPage =>
	(role === 'owner' ? 'today' : pagesOfRole[role][0]) ?? 'today';
