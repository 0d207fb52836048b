import { Command, Option } from '@commander-js/extra-typings';
import { visibleLine } from '../../shared/domain/kernel/visible-line.ts';
import { deskAddress, deskRoles, MOST_PERSON_NAME } from '../../shared/domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../shared/domain/workspaces/email-address.ts';
import { losesKeys } from '../../shared/http/desk/actions.ts';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { credentialIds, credentialsByMaker, endCredentials } from '../../shared/use-cases/desk/credentials.ts';
import { changePeople, type PeopleChange } from '../../shared/use-cases/desk/people.ts';
import { printLink } from '../../shared/use-cases/desk/print-link.ts';
import { type CommandAction, group, NO_WORKSPACE, WORKSPACE } from '../command.ts';
import type { OpsDeps } from '../connect.ts';
import { OperatorError } from '../operator-error.ts';
import type { Session } from '../session.ts';
import { docsPage } from '../typed.ts';

export const BAD_ADDRESS = 'expected a mail address such as ida@shop.example';

export async function changeDeskPeople(id: string, change: PeopleChange, deps: OpsDeps, { note }: Session) {
	if (change.address !== null && !isEmailAddress(change.address)) throw new OperatorError(BAD_ADDRESS);
	const outcome = await changePeople(id, change, deps);
	if ('refused' in outcome && outcome.refused === 'not_found') throw new OperatorError(NO_WORKSPACE);
	if ('refused' in outcome) throw new OperatorError(deskTextsIn('en').refusals[outcome.refused]);
	if (change.change === 'invite' && deps.mail_sender === null) {
		note(`No invitation was sent: the deployment has no mailSender (${docsPage('mail.md')}).`);
	}
	return outcome.workspace.desk;
}

const about = (name: string, description: string) =>
	new Command(name).description(description).requiredOption(...WORKSPACE);

const list = (act: CommandAction) =>
	about('list', 'List the people of the desk, with what each may do and the name, if it has one.').action(
		act(async ({ workspace }, { store }) => {
			const stored = await store.get('workspace', { id: workspace });
			if (stored === null) throw new OperatorError(NO_WORKSPACE);
			return stored.desk.map(({ address, role, name }) => ({ address, role, ...(name !== undefined && { name }) }));
		}),
	);

/**
 * What happens to the credentials of a person who is removed: `end` revokes the person's keys permanently and disables the
 * person's endpoints. `keep` changes neither keys nor endpoints.
 */
const credentialFates = ['end', 'keep'] as const;
const credentialsOption = () =>
	new Option(
		'--credentials <what>',
		'what happens to API keys and webhook endpoints of a person who may no longer create any',
	).choices(credentialFates);

const invite = (act: CommandAction) =>
	about('invite', 'Invite a person to the desk of a workspace by mail. Repeat it to change the role and mail again.')
		.requiredOption('--address <address>', 'the mail address')
		.addOption(new Option('--role <role>', 'what the person may do').choices(deskRoles).default('owner' as const))
		.option('--name <name>', 'the name that the desk shows (default: the name that the person has)')
		.addOption(credentialsOption())
		.action(
			act(async ({ workspace, credentials, name: typed = '', ...named }, deps, session) => {
				const name = visibleLine(typed);
				if (name.length > MOST_PERSON_NAME) throw new OperatorError(`--name: at most ${MOST_PERSON_NAME} characters`);
				const person = { ...named, name };
				const { desk = [] } = (await deps.store.get('workspace', { id: workspace })) ?? {};
				if (losesKeys(deskAddress(person.address), person.role, desk)) {
					await endOrKeep(workspace, person.address, credentials, deps);
				}
				return changeDeskPeople(workspace, { change: 'invite', ...person }, deps, session);
			}),
		);

/**
 * Called before a person loses the right to create API keys and webhook endpoints. If the person's keys or endpoints still work,
 * the operator has to choose whether to end them or to keep them. If the choice is `end`, this function ends them.
 */
async function endOrKeep(
	workspaceId: string,
	address: string,
	fate: (typeof credentialFates)[number] | undefined,
	deps: OpsDeps,
): Promise<void> {
	const credentials = (await credentialsByMaker(workspaceId, deps.store))(deskAddress(address));
	const ids = credentialIds(credentials);
	if (ids.length === 0 || fate === 'keep') return;
	if (fate === 'end') return endCredentials(credentials, deps);
	throw new OperatorError(
		`${address} made API keys or webhook endpoints that still work (${ids.join(', ')}): add --credentials end, or --credentials keep`,
	);
}

const remove = (act: CommandAction) =>
	about('remove', 'Remove a person from the desk. The sessions end at once.')
		.requiredOption('--address <address>', 'the mail address')
		.addOption(credentialsOption())
		.action(
			act(async ({ workspace, address, credentials }, deps, session) => {
				await endOrKeep(workspace, address, credentials, deps);
				return changeDeskPeople(workspace, { change: 'remove', address }, deps, session);
			}),
		);

const sessions = (act: CommandAction) =>
	about('sessions', 'End the sessions of one person, or of all people of the desk.')
		.option('--address <address>', 'the mail address (default: all people)')
		.action(
			act(({ workspace, address = null }, ...rest) =>
				changeDeskPeople(workspace, { change: 'end_sessions', address }, ...rest),
			),
		);

const link = (act: CommandAction) =>
	about(
		'link',
		'Print a sign-in link for a person of the desk who gets no mail. It works once, within 15 minutes. ' +
			'Give it only to that person. The desk’s Activity lists it.',
	)
		.requiredOption('--address <address>', 'the mail address')
		.action(
			act(async ({ workspace, address }, deps) => {
				const { public_base_url: link_base_url } = deps;
				if (link_base_url === null) throw new OperatorError('the stack does not say its address: start it again');
				const printed = await printLink(workspace, address, { ...deps, link_base_url });
				if (!('refused' in printed)) return printed;
				throw new OperatorError(
					printed.refused === 'not_found' ? NO_WORKSPACE : deskTextsIn('en').refusals[printed.refused],
				);
			}),
		);

export const deskCommands = (act: CommandAction) => [
	group(act, 'desk', 'People of the desk, the shop’s own page', [list, invite, link, remove, sessions]),
];
