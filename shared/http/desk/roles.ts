import { type DeskPage, developerPages } from '../../contract/desk/desk-pages.ts';
import type { DeskPerson, DeskRole } from '../../domain/workspaces/desk-person.ts';

// Which role sees which pages. What a role may do is in actions.ts.

/** An owner sees every page. */
export const pagesOfRole: Readonly<Record<Exclude<DeskRole, 'owner'>, readonly DeskPage[]>> = {
	member: ['today', 'calls', 'numbers', 'calls.csv', 'leads.csv', 'sources.csv', 'desks'],
	developer: [...developerPages, 'log', 'desks', 'desk.js'],
};

type Role = Pick<DeskPerson, 'role'>;
export const maySee = ({ role }: Role, page: DeskPage): boolean => role === 'owner' || pagesOfRole[role].includes(page);

/** The page after the sign-in. */
export const firstPage = ({ role }: Role): DeskPage => (role === 'owner' ? 'today' : pagesOfRole[role][0]) ?? 'today';
