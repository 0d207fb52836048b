import * as z from 'zod/mini';
import { visibleLine } from '../../../domain/kernel/visible-line.ts';
import {
	type DeskPerson,
	deskAddress,
	deskRoles,
	hasOwner,
	MOST_PERSON_NAME,
} from '../../../domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../../domain/workspaces/email-address.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { auditEntry, withAuditEntry } from '../../../use-cases/desk/audit-entry.ts';
import {
	type Credentials,
	credentialIds,
	credentialsByMaker,
	endCredentials,
} from '../../../use-cases/desk/credentials.ts';
import { countInvitation } from '../../../use-cases/desk/desk-links.ts';
import { changePeople } from '../../../use-cases/desk/people.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { losesKeys, wordOf } from '../actions.ts';
import { type Actor, type Audit, defineAction, formOf, perPerson, type Refusal, type Uses } from '../define-action.ts';
import { ENDS, SEEN } from './credentials-question.ts';

const address = z.string().check(z.trim(), z.refine(isEmailAddress));
/** The person's name, in the field that the team's form also has. */
const member = z.string().check(z.overwrite(visibleLine), z.maxLength(MOST_PERSON_NAME));
const changesPerson: Audit<{ readonly address?: string | undefined }> = {
	with: ['workspace'],
	about: ({ address = '' }) => visibleLine(address) || null,
};

/** Pages of the release 28086779 have no field for the name. */
const newPerson = z.object({ address, role: z.enum(deskRoles), member: z._default(member, '') });

/**
 * Invites a person, or changes a person's role. If the person may not make keys in the new role, the form asks which of the
 * person's credentials end, as for a removal.
 */
export const invitePerson = defineAction(formOf(newPerson), {
	limit: perPerson,
	audit: changesPerson,
	run: async ({ address: typed, role, member: name }, by, deps: Uses<'queues'>) => {
		const { id: workspace_id, desk } = by.workspace;
		const address = deskAddress(typed);
		const ends = losesKeys(address, role, desk) ? await credentialsToEnd(address, by, deps) : null;
		if (ends !== null && 'refused' in ends) return ends;
		const refused = await countInvitation({ address, reason: 'invitation', workspace_id }, deps);
		if (refused !== null) return { refused };
		if (ends !== null) await endAll(ends, by, deps);
		return changePeople(workspace_id, { change: 'invite', address, role, name, by: by.person.address }, deps);
	},
});

/** Changes the name of a person, and sends no mail. An empty name removes the name. */
export const renamePerson = defineAction(formOf(z.object({ address, member })), {
	limit: perPerson,
	audit: changesPerson,
	run: ({ address, member: name }, { workspace }, deps: Uses<'queues'>) =>
		changePeople(workspace.id, { change: 'rename', address, name }, deps),
});

/**
 * Removes a person, and ends the credentials that are checked in the form. The credentials end first, so that the person can
 * still be removed with the same form if a later step fails.
 */
export const removePerson = defineAction(formOf(z.object({ address })), {
	limit: perPerson,
	audit: changesPerson,
	run: async ({ address: typed }, by, deps: Uses<'queues'>) => {
		const address = deskAddress(typed);
		const ends = await credentialsToEnd(address, by, deps);
		if ('refused' in ends) return ends;
		await endAll(ends, by, deps);
		return changePeople(by.workspace.id, { change: 'remove', address, by: by.person.address }, deps);
	},
});

/** Ends the sessions of one person or of all people. */
export const endSessions = defineAction(formOf(z.object({ address: z.optional(address) })), {
	limit: perPerson,
	audit: changesPerson,
	run: ({ address = null }, { workspace }, deps: Uses<'queues'>) =>
		changePeople(workspace.id, { change: 'end_sessions', address }, deps),
});

const NONE: Credentials = { keys: [], endpoints: [] };

/**
 * Returns the credentials that the form ends. If the person has a live credential that the form has not shown, the form is
 * refused, and the page asks about it.
 */
async function credentialsToEnd(
	address: string,
	{ workspace, fields }: Actor,
	{ store, refusalIn }: Uses,
): Promise<Extract<Refusal, { readonly refused: unknown }> | Credentials> {
	// Check what the change itself will check, so that no credential ends if the change is refused.
	const current = await store.get('workspace', { id: workspace.id });
	const refused = current === null ? 'not_found' : refusalIn(current);
	if (refused !== null) return { refused };
	const credentials = (await credentialsByMaker(workspace.id, store))(address);
	const seen = new Set((fields[SEEN] ?? '').split(' '));
	if (credentialIds(credentials).some((id) => !seen.has(id)))
		return { refused: 'credentials_asked', words: namesOf(credentials) };
	return mayGo(address, current?.desk ?? []) ? ticked(credentials, fields) : NONE;
}

/** Whether the person exists, and another owner remains after the person is gone. */
const mayGo = (address: string, desk: readonly DeskPerson[]): boolean =>
	desk.some((each) => each.address === address) && hasOwner(desk.filter((each) => each.address !== address));

const namesOf = ({ keys, endpoints }: Credentials): string =>
	[...keys.map(({ name }) => name), ...endpoints.map(({ url }) => withoutQuery(url))].join(', ');

function ticked({ keys, endpoints }: Credentials, fields: Fields): Credentials {
	const ends = ({ id }: { readonly id: string }) => fields[`${ENDS}${id}`] === 'yes';
	return { keys: keys.filter(ends), endpoints: endpoints.filter(ends) };
}

/** Ends credentials. Each of them gets its own audit entry. */
async function endAll(ends: Credentials, { workspace, person }: Actor, deps: Uses): Promise<void> {
	const who = { workspace_id: workspace.id, address: person.address };
	await endCredentials(ends, deps, (record, name) => {
		const [change, about] =
			record === 'api_key' ? [wordOf('revoke-key'), name] : [wordOf('disable-endpoint'), withoutQuery(name)];
		return withAuditEntry(deps.store, [record], async () => auditEntry({ ...who, change, about }, deps));
	});
}
