import type { DeskPerson, DeskRole } from '../../domain/workspaces/desk-person.ts';
import type { DeskTexts } from '../../presentation/desk-texts.ts';

// Which role sees and does what, for every page and every form of the desk.

/** Pages for the shop and for its developers, each in the order of the menu; lists as files. */
export const shopPages = ['today', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log'] as const;
export const developerPages = ['webhooks', 'deliveries', 'keys'] as const;
export type ShopPage = (typeof shopPages)[number];
export type DeveloperPage = (typeof developerPages)[number];
export type MenuPage = ShopPage | DeveloperPage;
export type DeskPage = MenuPage | 'calls' | 'desks' | 'calls.csv' | 'leads.csv' | 'sources.csv' | 'preview' | 'desk.js';

/** Forms name what they ask for by the word that the audit list has for it. */
export type ActionName = Exclude<keyof DeskTexts['changes'], LinkChange>;
/** What links do, and operators with them: the audit list has a word for it, and no page a form. */
export const linkChanges = ['signed_in', 'link_printed', 'notices_agreed', 'put_back'] as const;
type LinkChange = (typeof linkChanges)[number];
/** What developers may do: all forms of their pages. */
const developerActions = [
	'endpoint_created',
	'endpoint_changed',
	'endpoint_enabled',
	'endpoint_disabled',
	'endpoint_tested',
	'secret_rotated',
	'endpoint_deleted',
	'deliveries_recovered',
	'delivery_retried',
	'key_created',
	'key_revoked',
] as const satisfies readonly ActionName[];
export type DeveloperAction = (typeof developerActions)[number];
export type ShopAction = Exclude<ActionName, DeveloperAction>;

type Rights = { readonly pages: readonly DeskPage[]; readonly actions: readonly ActionName[] };

/** The table. An owner sees and does everything. */
export const roleTable: Readonly<Record<Exclude<DeskRole, 'owner'>, Rights>> = {
	member: {
		pages: ['today', 'calls', 'numbers', 'calls.csv', 'leads.csv', 'sources.csv', 'desks'],
		actions: [
			'paused',
			'resumed',
			'lead_handled',
			'lead_dismissed',
			'lead_reopened',
			'lead_called',
			'number_suppressed',
			'desk_left',
		],
	},
	developer: {
		pages: [...developerPages, 'log', 'desks'],
		actions: [...developerActions, 'desk_left'],
	},
};

/** The part of the address that a page is below. */
export const folderOf = (page: string): 'pages' | 'developers' =>
	developerPages.some((each) => each === page) ? 'developers' : 'pages';

type Role = Pick<DeskPerson, 'role'>;
export const maySee = ({ role }: Role, page: DeskPage): boolean =>
	role === 'owner' || roleTable[role].pages.includes(page);
export const mayDo = ({ role }: Role, action: ActionName): boolean =>
	role === 'owner' || roleTable[role].actions.includes(action);

/** Whether a person of the desk would lose the right to make API keys with this role. */
export const losesKeys = (address: string, role: DeskRole, desk: readonly DeskPerson[]): boolean =>
	!mayDo({ role }, 'key_created') && desk.some((each) => each.address === address && mayDo(each, 'key_created'));

/** The page after the sign-in. */
export const firstPage = ({ role }: Role): DeskPage =>
	(role === 'owner' ? 'today' : roleTable[role].pages[0]) ?? 'today';
