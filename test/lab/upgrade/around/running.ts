import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { operatorAt } from '../../../support/operator.ts';
import { eventually } from '../../../support/stack/api.ts';
import { type StackProcess, startStackProcess } from '../../../support/stack/stack-process.ts';
import { operatorOf } from '../../../support/webhooks/customers.ts';
import { type Contract, contractOf } from './contract.ts';
import { formerOps } from './former-ops.ts';
import { type Release, today } from './release.ts';

/** The code that a stack runs: a release, or today's template with some functions of a release. */
export type Code = Release & {
	readonly environment: Readonly<Record<string, string>>;
	/** The API document of its functions. Null if some of the functions belong to another release. */
	readonly contract: Contract | null;
};

/** A running stack, with the operator commands of its code. */
export type Running = StackProcess & {
	readonly state_dir: string;
	readonly code: Code;
	/** Runs a command of `npm run ops` and returns what it printed. */
	// biome-ignore lint/suspicious/noExplicitAny: checks look into any value that came back
	ops(...args: readonly string[]): Promise<any>;
};

export const whole = (release: Release): Code => ({ ...release, environment: {}, contract: contractOf(release) });

/**
 * Today's template, in which some functions are still those of a former release. `former`: the former release's CDK output.
 * `seed` decides which functions.
 */
export function halfWay(former: string, seed: number): Code {
	const { node, folder, args } = today.program;
	const entry = join(import.meta.dirname, '../mixed-stack.ts');
	const program = { folder, node, args: args.map((arg) => (arg === 'local/start.ts' ? entry : arg)) };
	const environment = { FORMER_CDK_OUT: former, MIX_SEED: String(seed) };
	return { name: `mixed by seed ${seed}`, folder, program, environment, contract: null };
}

/** Starts a stack on a state directory, in which other code may have run before. */
export async function startOn(state_dir: string, code: Code, options: readonly string[]): Promise<Running> {
	const { program, environment, folder } = code;
	const stack = await startStackProcess(state_dir, options, environment, program);
	const running = { ...stack, state_dir, code };
	if (folder === today.folder) return { ...running, ops: opsHere(running) };
	const commands = formerOps(code);
	async function stop(signal?: NodeJS.Signals): Promise<void> {
		commands.stop();
		await stack.stop(signal);
	}
	return { ...running, stop, ops: opsOf(running, commands) };
}

type Ops = Running['ops'];

/** Whether a command gave up because the stack did not respond in time on a busy machine. */
export const isBusy = (error: unknown): boolean => /does not answer|failed with timeout|Busy/.test(String(error));

/**
 * Runs today's commands in this process. A process for each command would take more time than all the rest of filling a stack.
 */
function opsHere({ state_dir }: Pick<Running, 'state_dir'>): Ops {
	let operator: Promise<ReturnType<typeof operatorAt>> | null = null;
	return async (...args) => {
		operator ??= operatorOf({ state_dir }).then((deps) => operatorAt(deps));
		const { code, out, err } = await (await operator)(...args, '--json');
		if (code !== 0) throw new Error(`npm run ops -- ${args.slice(0, 2).join(' ')}: ${out} ${err}`);
		return JSON.parse(out);
	};
}

/** Runs the commands of a release with its own code. */
function opsOf({ state_dir }: Pick<Running, 'state_dir'>, { run }: ReturnType<typeof formerOps>): Ops {
	return async (...args) => {
		const name = `npm run ops -- ${args.slice(0, 2).join(' ')}`;
		return eventually(name, async () => {
			const { code, out, err } = await run(['--json', '--state-dir', state_dir, ...args]);
			if (code === 0) {
				const printed: unknown = JSON.parse(out);
				return printed;
			}
			const error = new Error(`${name} ended with ${String(code)}: ${out} ${err}`);
			// A command that creates something may have created it before it gave up. Running the command again could create a
			// second one.
			if (isBusy(error) && !args.includes('create')) return null;
			throw error;
		});
	};
}

/** Copies the code that the stack runs, because the next start overwrites it. Returns the folder. */
export function keepCode({ state_dir }: Pick<Running, 'state_dir'>, folder: string): string {
	cpSync(join(state_dir, 'cdk.out'), folder, { recursive: true });
	return folder;
}
