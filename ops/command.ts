import type { ParseArgsOptionsConfig } from 'node:util';
import { REPLAYS_PER_SECOND } from '../shared/domain/webhooks/retry-schedule.ts';
import type { OpsDeps } from './connect.ts';
import type { Session } from './session.ts';

/** A refusal that the operator can act on: printed as it is, exit code 1. */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}

/** Option values as parseArgs gives them. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** One verb of the command line. What `run` returns is printed as JSON. */
export type Command = {
	readonly words: string;
	readonly help: string;
	readonly options: ParseArgsOptionsConfig;
	readonly run: (options: OptionValues, deps: OpsDeps, session: Session) => Promise<unknown>;
};

/** How `parseArgs` is told of an option with a value, and of a switch. */
export const string = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;

export const NO_WORKSPACE = 'no workspace has this id';

/** A required text option. */
export function text(options: OptionValues, name: string): string {
	const value = options[name];
	if (typeof value === 'string' && value !== '') return value;
	throw new OperatorError(`--${name} is required`);
}

/** A text option that may be left out. */
export function optionalText(options: OptionValues, name: string): string | undefined {
	const value = options[name];
	return typeof value === 'string' ? value : undefined;
}

/** An option that may be given several times. */
export function texts(options: OptionValues, name: string): readonly string[] {
	const value = options[name];
	return Array.isArray(value) ? value.map(String) : [];
}

/** A whole number option that may be left out. */
export function optionalCount(options: OptionValues, name: string): number | undefined {
	const value = optionalText(options, name);
	if (value === undefined) return undefined;
	if (!/^\d{1,9}$/.test(value)) throw new OperatorError(`--${name} takes a whole number`);
	return Number(value);
}

/** A switch. */
export function isSet(options: OptionValues, name: string): boolean {
	return options[name] === true;
}

const MOST_PER_SECOND = 1000;

/** `--rate`: starts a second; 20 unless told, as the API's recover. */
export function rateOf(options: OptionValues): number {
	const rate = optionalCount(options, 'rate') ?? REPLAYS_PER_SECOND;
	if (rate < 1 || rate > MOST_PER_SECOND) throw new OperatorError(`--rate is 1 to ${MOST_PER_SECOND}`);
	return rate;
}
