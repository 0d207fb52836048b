import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { erasePerson } from '../../shared/use-cases/operations/erase-person.ts';
import { showConsent } from '../../shared/use-cases/visitors/show-consent.ts';
import { isSuppressed, suppressNumber } from '../../shared/use-cases/visitors/suppress-number.ts';
import { type Act, group, NO_WORKSPACE } from '../command.ts';
import type { OpsDeps } from '../connect.ts';
import { phoneNumber } from '../input/phone-number.ts';
import { OperatorError } from '../operator-error.ts';

const numbered = (name: string, description: string) =>
	new Command(name)
		.description(description)
		.requiredOption('--workspace <id>', 'the workspace')
		.option('--phone <number>', 'the number; without it, or with -, it is read from the standard input');

type Named = { readonly workspace: string; readonly phone?: string | undefined };

async function person({ workspace, phone }: Named, { store, numbers }: OpsDeps) {
	if ((await store.get('workspace', { id: workspace })) === null) throw new OperatorError(NO_WORKSPACE);
	return { workspace_id: workspace, e164: await phoneNumber(phone, numbers) };
}

const erase = (act: Act) =>
	numbered('erase', 'Remove a person by number and print a receipt.')
		.option('--keep-consent', 'keeps the evidence of consent, for claims')
		.action(
			act(async ({ keepConsent = false, ...named }, deps, session) => {
				const input = { ...(await person(named, deps)), keep_consent: keepConsent };
				let calls_and_leads = 0;
				const receipt = await erasePerson(input, deps, (done, found) => {
					calls_and_leads = found;
					session.progress(() => ({ text: `${done} of ${found} calls and leads erased`, share: done / found }));
				});
				if (calls_and_leads === 0 && !receipt.usage_removed) session.note('Nothing was found of this number.');
				return receipt;
			}),
		);

const add = (act: Act) =>
	numbered('add', 'Suppress a number: it is never called again.').action(
		act(async (named, deps) => suppressNumber(await person(named, deps), true, deps)),
	);

const remove = (act: Act) =>
	numbered('remove', 'Allow a suppressed number again.').action(
		act(async (named, deps) => suppressNumber(await person(named, deps), false, deps)),
	);

const check = (act: Act) =>
	numbered('check', 'Say whether a number is suppressed.').action(
		act(async (named, deps) => isSuppressed(await person(named, deps), deps)),
	);

const consent = (act: Act) =>
	numbered('show', 'Show what a number’s owner agreed to, when and on which page.').action(
		act(async (named, deps) => showConsent(await person(named, deps), deps)),
	);

export const personCommands = (act: Act): readonly CommandUnknownOpts[] => [
	erase(act),
	group(act, 'suppress', 'Numbers that are never called', [add, remove, check]),
	group(act, 'consent', 'Evidence of consent', [consent]),
];
