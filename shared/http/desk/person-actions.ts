import { type DeskPerson, deskAddress } from '../../domain/workspaces/desk-person.ts';
import type { Ports } from '../../ports/ports.ts';
import { withoutQuery } from '../../presentation/team-words.ts';
import {
	type Credentials,
	credentialIds,
	credentialsByMaker,
	endCredentials,
} from '../../use-cases/desk/credentials.ts';
import { auditEntry } from '../../use-cases/desk/enter-desk.ts';
import { changePeople } from '../../use-cases/desk/people.ts';
import type { EditContext } from '../../use-cases/workspaces/edit-workspace.ts';
import type { Fields } from '../request.ts';
import { ENDS, SEEN } from './pages/credentials-question.ts';
import type { ActionOutcome, Actor } from './run-action.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'>;

/**
 * Removes a person, and ends those of the person's credentials that the form has ticked. Asks first if the person has a live
 * one that the form has not shown. They end before the person goes: if the rest fails, the removal can be repeated.
 */
export async function removePerson(
	typed: string,
	fields: Fields,
	at: Actor<Deps> & EditContext,
): Promise<ActionOutcome> {
	const { workspace, store } = at;
	const address = deskAddress(typed);
	// As the removal itself will judge it: otherwise nothing ends.
	const current = await store.get('workspace', { id: workspace.id });
	const refused = current === null ? 'not_found' : at.refusalIn(current);
	if (refused !== null) return { refused };
	const made = (await credentialsByMaker(workspace.id, store))(address);
	const seen = new Set((fields[SEEN] ?? '').split(' '));
	if (credentialIds(made).some((id) => !seen.has(id))) return { refused: 'credentials_asked', words: namesOf(made) };
	if (mayGo(address, current?.desk ?? [])) await endCredentials(ticked(made, fields), at, entriesOf(at));
	return changePeople(workspace.id, { change: 'remove', address, by: at.person.address }, at);
}

/** Whether the person is there, and another owner stays. */
const mayGo = (address: string, desk: readonly DeskPerson[]): boolean =>
	desk.some((each) => each.address === address) &&
	desk.some((each) => each.address !== address && each.role === 'owner');

const namesOf = ({ keys, endpoints }: Credentials): string =>
	[...keys.map(({ name }) => name), ...endpoints.map(({ url }) => withoutQuery(url))].join(', ');

function ticked({ keys, endpoints }: Credentials, fields: Fields): Credentials {
	const ends = ({ id }: { readonly id: string }) => fields[`${ENDS}${id}`] === 'yes';
	return { keys: keys.filter(ends), endpoints: endpoints.filter(ends) };
}

function entriesOf(at: Actor<Deps>) {
	const who = { workspace_id: at.workspace.id, address: at.person.address };
	return {
		key: (about: string) => auditEntry({ ...who, change: 'key_revoked', about }, at),
		endpoint: (url: string) => auditEntry({ ...who, change: 'endpoint_disabled', about: withoutQuery(url) }, at),
	};
}
