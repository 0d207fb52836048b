import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { isSuppressed, suppressNumber } from '../../shared/use-cases/calls/suppress-number.ts';
import { erasePerson } from '../../shared/use-cases/retention/erase-person.ts';
import { showConsent } from '../../shared/use-cases/widget/show-consent.ts';
import { type CommandAction, group, NO_WORKSPACE, WORKSPACE } from '../command.ts';
import type { OpsDeps } from '../connect.ts';
import { numberArgument } from '../input/phone-number.ts';
import { OperatorError } from '../operator-error.ts';
import { docsPage } from '../typed.ts';

const commandForNumber = (name: string, description: string) =>
	new Command(name)
		.description(description)
		.requiredOption(...WORKSPACE)
		.option('--phone <number>', 'the number; if it is left out or is -, it is read from the standard input');

const leftAtProvider = (): string =>
	`The provider still has records of some calls: see provider_records_left, and "A person asks to be forgotten" in ${docsPage('runbook.md')}.`;

type PersonOptions = { readonly workspace: string; readonly phone?: string | undefined };

async function person({ workspace, phone }: PersonOptions, { store, numbers }: OpsDeps) {
	if ((await store.get('workspace', { id: workspace })) === null) throw new OperatorError(NO_WORKSPACE);
	return { workspace_id: workspace, e164: await numberArgument(phone, numbers) };
}

const erase = (act: CommandAction) =>
	commandForNumber('erase', 'Remove a person by number and print a receipt.')
		.option('--keep-consent', 'keeps the evidence of consent, for claims')
		.action(
			act(async ({ keepConsent = false, ...options }, deps, session) => {
				const input = { ...(await person(options, deps)), keep_consent: keepConsent };
				let callsAndLeads = 0;
				const receipt = await erasePerson(input, deps, (done, found) => {
					callsAndLeads = found;
					session.progress(() => ({ text: `${done} of ${found} calls and leads erased`, share: done / found }));
				});
				if (callsAndLeads === 0 && !receipt.usage_removed) session.note('No record has this number.');
				if (receipt.provider_records_left.length > 0) session.note(leftAtProvider());
				return receipt;
			}),
		);

const add = (act: CommandAction) =>
	commandForNumber('add', 'Suppress a number: it is never called again.').action(
		act(async (options, deps) => suppressNumber(await person(options, deps), true, deps)),
	);

const remove = (act: CommandAction) =>
	commandForNumber('remove', 'Allow a suppressed number again.').action(
		act(async (options, deps) => suppressNumber(await person(options, deps), false, deps)),
	);

const check = (act: CommandAction) =>
	commandForNumber('check', 'Say whether a number is suppressed.').action(
		act(async (options, deps) => isSuppressed(await person(options, deps), deps)),
	);

const consent = (act: CommandAction) =>
	commandForNumber('show', 'Show what a number’s owner agreed to, when and on which page.').action(
		act(async (options, deps) => showConsent(await person(options, deps), deps)),
	);

export const personCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	erase(act),
	group(act, 'suppress', 'Numbers that are never called', [add, remove, check]),
	group(act, 'consent', 'Evidence of consent', [consent]),
];
