import { type DeskPerson, deskAddress, hasOwner } from '../../domain/workspaces/desk-person.ts';
import type { Ports } from '../../ports/ports.ts';
import { withoutQuery } from '../../presentation/team-words.ts';
import {
	type Credentials,
	credentialIds,
	credentialsByMaker,
	endCredentials,
} from '../../use-cases/desk/credentials.ts';
import { countInvitation } from '../../use-cases/desk/desk-links.ts';
import { auditEntry } from '../../use-cases/desk/enter-desk.ts';
import { changePeople } from '../../use-cases/desk/people.ts';
import type { EditContext } from '../../use-cases/workspaces/edit-workspace.ts';
import type { Fields } from '../edge/request.ts';
import { ENDS, SEEN } from './pages/credentials-question.ts';
import { losesKeys } from './roles.ts';
import type { ActionOutcome, Actor } from './run-action.ts';

type At = Actor<Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'>> & EditContext;

/**
 * Removes a person, and ends those of the person's credentials that the form has ticked. They end before the person goes: if the
 * rest fails, the removal can be repeated.
 */
export async function removePerson(typed: string, fields: Fields, at: At): Promise<ActionOutcome> {
	const address = deskAddress(typed);
	const judged = await judgeCredentials(address, fields, at);
	if ('refused' in judged) return judged;
	await endCredentials(judged.ends, at, entriesOf(at));
	return changePeople(at.workspace.id, { change: 'remove', address, by: at.person.address }, at);
}

/**
 * Invites a person, or gives one another role. One who may make keys and no longer shall loses them as a person who is
 * removed does.
 */
export async function invitePerson(
	{ address: typed, role }: Pick<DeskPerson, 'address' | 'role'>,
	fields: Fields,
	at: At,
): Promise<ActionOutcome> {
	const address = deskAddress(typed);
	const workspace_id = at.workspace.id;
	const isDemotion = losesKeys(address, role, at.workspace.desk);
	const judged = isDemotion ? await judgeCredentials(address, fields, at) : { ends: { keys: [], endpoints: [] } };
	if ('refused' in judged) return judged;
	const refused = await countInvitation({ address, reason: 'invitation', workspace_id }, at);
	if (refused !== null) return { refused };
	await endCredentials(judged.ends, at, entriesOf(at));
	return changePeople(workspace_id, { change: 'invite', address, role, by: at.person.address }, at);
}

/** Asks if the person has a live credential that the form has not shown; otherwise, those that end. */
async function judgeCredentials(
	address: string,
	fields: Fields,
	at: At,
): Promise<Extract<ActionOutcome, { readonly refused: unknown }> | { readonly ends: Credentials }> {
	const { workspace, store } = at;
	// As the change itself will judge it: otherwise nothing ends.
	const current = await store.get('workspace', { id: workspace.id });
	const refused = current === null ? 'not_found' : at.refusalIn(current);
	if (refused !== null) return { refused };
	const made = (await credentialsByMaker(workspace.id, store))(address);
	const seen = new Set((fields[SEEN] ?? '').split(' '));
	if (credentialIds(made).some((id) => !seen.has(id))) return { refused: 'credentials_asked', words: namesOf(made) };
	return { ends: mayGo(address, current?.desk ?? []) ? ticked(made, fields) : { keys: [], endpoints: [] } };
}

/** Whether the person is there, and another owner stays. */
const mayGo = (address: string, desk: readonly DeskPerson[]): boolean =>
	desk.some((each) => each.address === address) && hasOwner(desk.filter((each) => each.address !== address));

const namesOf = ({ keys, endpoints }: Credentials): string =>
	[...keys.map(({ name }) => name), ...endpoints.map(({ url }) => withoutQuery(url))].join(', ');

function ticked({ keys, endpoints }: Credentials, fields: Fields): Credentials {
	const ends = ({ id }: { readonly id: string }) => fields[`${ENDS}${id}`] === 'yes';
	return { keys: keys.filter(ends), endpoints: endpoints.filter(ends) };
}

function entriesOf(at: At) {
	const who = { workspace_id: at.workspace.id, address: at.person.address };
	return {
		key: (about: string) => auditEntry({ ...who, change: 'key_revoked', about }, at),
		endpoint: (url: string) => auditEntry({ ...who, change: 'endpoint_disabled', about: withoutQuery(url) }, at),
	};
}
