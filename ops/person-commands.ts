import { erasePerson } from '../shared/use-cases/operations/erase-person.ts';
import { showConsent } from '../shared/use-cases/visitors/show-consent.ts';
import { isSuppressed, suppressNumber } from '../shared/use-cases/visitors/suppress-number.ts';
import { type Command, flag, isSet, NO_WORKSPACE, OperatorError, type OptionValues, string, text } from './command.ts';
import type { OpsDeps } from './connect.ts';
import { phoneOption } from './phone-option.ts';

const numbered = { workspace: string, phone: string };
const HELP = '--workspace WORKSPACE_ID [--phone +1202… ] (without --phone the number is read from the standard input)';

async function person(options: OptionValues, { store, numbers }: OpsDeps) {
	const workspace_id = text(options, 'workspace');
	if ((await store.get('workspace', { id: workspace_id })) === null) throw new OperatorError(NO_WORKSPACE);
	return { workspace_id, e164: await phoneOption(options, numbers) };
}

const erase: Command = {
	words: 'erase',
	help: `${HELP} [--keep-consent]; prints a receipt`,
	options: { ...numbered, 'keep-consent': flag },
	run: async (options, deps) => {
		const keep_consent = isSet(options, 'keep-consent');
		return await erasePerson({ ...(await person(options, deps)), keep_consent }, deps);
	},
};

const add: Command = {
	words: 'suppress add',
	help: `${HELP}; the number is never called again`,
	options: numbered,
	run: async (options, deps) => await suppressNumber(await person(options, deps), true, deps),
};

const remove: Command = {
	words: 'suppress remove',
	help: HELP,
	options: numbered,
	run: async (options, deps) => await suppressNumber(await person(options, deps), false, deps),
};

const check: Command = {
	words: 'suppress check',
	help: HELP,
	options: numbered,
	run: async (options, deps) => await isSuppressed(await person(options, deps), deps),
};

const consent: Command = {
	words: 'consent show',
	help: `${HELP}; prints what was agreed to, when and on which page`,
	options: numbered,
	run: async (options, deps) => await showConsent(await person(options, deps), deps),
};

export const personCommands: readonly Command[] = [erase, add, remove, check, consent];
