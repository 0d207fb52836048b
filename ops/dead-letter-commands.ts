import { REPLAYS_PER_SECOND } from '../shared/domain/retry-schedule.ts';
import { type Command, isSet, OperatorError, type OptionValues, optionalCount } from './command.ts';
import { listDeadLetters, replayDeadLetters } from './dead-letters.ts';

const string = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const MOST_PER_SECOND = 1000;

/** `--rate`: starts a second; 20 unless told, as the API's recover. */
export function rateOf(options: OptionValues): number {
	const rate = optionalCount(options, 'rate') ?? REPLAYS_PER_SECOND;
	if (rate < 1 || rate > MOST_PER_SECOND) throw new OperatorError(`--rate is 1 to ${MOST_PER_SECOND}`);
	return rate;
}

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
