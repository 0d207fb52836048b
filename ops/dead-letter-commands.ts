import { type Command, flag, isSet, optionalCount, rateOf, string } from './command.ts';
import { listDeadLetters, replayDeadLetters } from './dead-letters.ts';

const list: Command = {
	words: 'dlq list',
	help: '[--limit 100]: what waits in the dead-letter queue, why, and what a replay would do with it',
	options: { limit: string },
	run: (options, deps, session) => listDeadLetters(optionalCount(options, 'limit') ?? 100, deps, session),
};

const replay: Command = {
	words: 'dlq replay',
	help: '[--rate 20] [--dry-run] [--drop-unreadable]: works off the dead-letter queue; may be stopped (Ctrl-C), killed and repeated',
	options: { rate: string, 'dry-run': flag, 'drop-unreadable': flag },
	run: (options, deps, session) => {
		const chosen = { dry_run: isSet(options, 'dry-run'), drop_unreadable: isSet(options, 'drop-unreadable') };
		return replayDeadLetters({ per_second: rateOf(options), ...chosen }, deps, session);
	},
};

export const deadLetterCommands: readonly Command[] = [list, replay];
