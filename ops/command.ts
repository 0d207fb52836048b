import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import * as z from 'zod/mini';
import { ID_PATTERN } from '../shared/domain/kernel/id.ts';
import { parseInstant } from '../shared/domain/kernel/time-range.ts';
import { visibleLine } from '../shared/domain/kernel/visible-line.ts';
import { REPLAYS_PER_SECOND } from '../shared/domain/webhooks/retry-schedule.ts';
import type { OperatedStack, OpsDeps } from './connect.ts';
import { OperatorError } from './operator-error.ts';
import { readable } from './readable.ts';
import type { Session } from './session.ts';
import { outputsOf } from './typed.ts';

export const NO_WORKSPACE = 'no workspace has this id';

/**
 * The option that all commands about a workspace have. Options whose value identifies a workspace, an endpoint, a call or a key
 * are called --workspace, --endpoint, --call and --api-key. If the operator gives the name of a workspace, the name is replaced
 * with the id before the command runs.
 */
export const WORKSPACE = ['--workspace <workspace>', 'the workspace: its id, or its name if no other has it'] as const;

/** The options whose value is a workspace. */
const NamedWorkspaces = z.partial(z.object({ workspace: z.string(), like: z.string() }));

/** Replaces the name of a workspace in the options of a command with its id. */
async function withWorkspaceIds<O>(options: O, deps: OpsDeps): Promise<O> {
	const { data = {} } = NamedWorkspaces.safeParse(options);
	const { workspace, like } = data;
	return {
		...options,
		...(workspace !== undefined && { workspace: await workspaceId(workspace, deps) }),
		...(like !== undefined && { like: await workspaceId(like, deps) }),
	};
}

async function workspaceId(given: string, { workspaces }: OpsDeps): Promise<string> {
	if (ID_PATTERN.test(given)) return given;
	const nameLower = visibleLine(given).toLocaleLowerCase();
	const ids: string[] = [];
	for await (const page of workspaces())
		ids.push(...page.workspaces.filter(({ name }) => name.toLocaleLowerCase() === nameLower).map(({ id }) => id));
	const [workspace, ...others] = ids.sort();
	if (workspace === undefined) throw new OperatorError(`no workspace has the id or the name "${given}"`);
	if (others.length > 0) throw new OperatorError(`${ids.length} workspaces have this name: ${ids.join(', ')}`);
	return workspace;
}

export type Host = {
	/** Throws `OperatorError` if the stack does not answer. */
	readonly connect: (target: OperatedStack) => Promise<OpsDeps>;
	readonly session: Session;
	readonly write: (text: string) => void;
	/** How many columns the operator's terminal has. Null if the output goes to a program, which gets JSON. */
	readonly columns: number | null;
};

/** What a command does after it has connected to the stack. The returned value is printed. */
type Work<O> = (options: O, deps: OpsDeps, session: Session) => Promise<unknown>;

export type CommandAction = <O>(work: Work<O>) => (options: O, command: CommandUnknownOpts) => Promise<void>;

export const GlobalOptions = z.object({
	outputs: z.optional(z.string()),
	stateDir: z.optional(z.string()),
	profile: z.optional(z.string()),
	json: z.optional(z.boolean()),
});

/** Connects to the stack that the global options name, runs the command's work, and prints the result. */
export function actOn(host: Host): CommandAction {
	return (work) => async (options, command) => {
		const given = GlobalOptions.parse(command.optsWithGlobals());
		const { stateDir, profile, json = false } = given;
		const deps = await host.connect({ outputs: outputsOf(given), state_dir: stateDir, profile });
		const result = await work(await withWorkspaceIds(options, deps), deps, host.session);
		const plain = json || host.columns === null;
		host.write(plain ? JSON.stringify(result, null, 2) : readable(result, host.columns));
	};
}

export function group(
	act: CommandAction,
	name: string,
	description: string,
	below: readonly ((act: CommandAction) => CommandUnknownOpts)[],
): CommandUnknownOpts {
	const command = new Command(name).description(description);
	for (const make of below) command.addCommand(make(act));
	return command;
}

// Parsers for the values of options. Their errors do not name the option, because Commander prints the option's name before the
// message.

/** Collects the values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
	return [...(before ?? []), value];
}

export function wholeNumber(value: string): number {
	if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It takes a whole number.');
	return Number(value);
}

const MOST_PER_SECOND = 1000;
export const RATE_HELP = `how many to start in a second, 1 to ${MOST_PER_SECOND} (default: ${REPLAYS_PER_SECOND})`;

export function rate(value: string): number {
	const perSecond = wholeNumber(value);
	if (perSecond >= 1 && perSecond <= MOST_PER_SECOND) return perSecond;
	throw new InvalidArgumentError(`It takes a whole number from 1 to ${MOST_PER_SECOND}.`);
}

/** Reads a date, such as 2026-12-27. A date that does not exist is refused. */
export function localDate(value: string): string {
	if (/^\d{4}-\d\d-\d\d$/.test(value) && parseInstant(value) !== null) return value;
	throw new InvalidArgumentError('It takes a date such as 2026-12-27.');
}

/** Reads a date and time, and returns it as epoch milliseconds. */
export function instant(value: string): number {
	const atMs = parseInstant(value);
	if (atMs !== null) return atMs;
	throw new InvalidArgumentError('It takes an RFC 3339 date-time, or a date for midnight UTC.');
}
