import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { REPLAYS_PER_SECOND } from '../../shared/domain/webhooks/retry-schedule.ts';
import { type CommandAction, group, RATE_HELP, rate, wholeNumber } from '../command.ts';
import { listDeadLetters, replayQueue } from '../dead-letters/replay.ts';

const list = (act: CommandAction) =>
	new Command('list')
		.description('List the messages in the dead-letter queue, why each is there, and what a replay would do with it.')
		.option('--limit <n>', 'how many messages at most (default: 100)', wholeNumber)
		.action(act(({ limit = 100 }, deps, session) => listDeadLetters(limit, deps, session)));

const replay = (act: CommandAction) =>
	new Command('replay')
		.description('Replay the dead-letter queue. You can stop it (Ctrl-C), kill it and repeat it.')
		.option('--rate <n>', RATE_HELP, rate)
		.option('--dry-run', 'shows what a replay would do, and changes nothing')
		.option('--drop-unreadable', 'deletes messages that cannot be read')
		.action(
			act(({ rate: per_second = REPLAYS_PER_SECOND, dryRun = false, dropUnreadable = false }, deps, session) =>
				replayQueue({ per_second, dry_run: dryRun, drop_unreadable: dropUnreadable }, deps, session),
			),
		);

export const deadLetterCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	group(act, 'dlq', 'The dead-letter queue', [list, replay]),
];
