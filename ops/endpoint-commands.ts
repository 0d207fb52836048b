import { parseInstant } from '../shared/domain/kernel/time-range.ts';
import {
	type Command,
	flag,
	isSet,
	OperatorError,
	type OptionValues,
	optionalText,
	rateOf,
	string,
	text,
} from './command.ts';
import { endpointStatus, replayDeliveries } from './endpoint-deliveries.ts';

const DAY_MS = 86_400_000;

function instant(value: string, name: string): number {
	const at_ms = parseInstant(value);
	if (at_ms === null) throw new OperatorError(`--${name} takes an RFC 3339 date-time, or a date for midnight UTC`);
	return at_ms;
}

const endpointOf = (options: OptionValues) => ({
	workspace_id: text(options, 'workspace'),
	id: text(options, 'endpoint'),
});

const status: Command = {
	words: 'endpoint status',
	help: '--workspace W --endpoint E [--since 7 days ago]: health, breaker, what waits and failed, the last attempt, what to do',
	options: { workspace: string, endpoint: string, since: string },
	run: (options, deps, session) => {
		const since = optionalText(options, 'since');
		const since_ms = since === undefined ? deps.clock.now() - 7 * DAY_MS : instant(since, 'since');
		return endpointStatus(endpointOf(options), since_ms, deps, session);
	},
};

const replay: Command = {
	words: 'deliveries replay',
	help: '--workspace W --endpoint E --since T [--until T] [--rate 20] [--dry-run]: delivers again what failed or is held, oldest first; may be stopped and repeated',
	options: { workspace: string, endpoint: string, since: string, until: string, rate: string, 'dry-run': flag },
	run: (options, deps, session) => {
		const until = optionalText(options, 'until');
		const range = {
			since_ms: instant(text(options, 'since'), 'since'),
			until_ms: until === undefined ? deps.clock.now() : instant(until, 'until'),
		};
		const how = { per_second: rateOf(options), dry_run: isSet(options, 'dry-run') };
		return replayDeliveries(endpointOf(options), range, how, deps, session);
	},
};

export const endpointCommands: readonly Command[] = [status, replay];
