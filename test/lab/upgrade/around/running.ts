import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { operatorAt } from '../../../support/operator.ts';
import { eventually } from '../../../support/stack/api.ts';
import { type StackProcess, startStackProcess } from '../../../support/stack/stack-process.ts';
import { operatorOf } from '../../../support/webhooks/customers.ts';
import { type Contract, contractOf } from './contract.ts';
import { formerOps } from './former-ops.ts';
import { type Release, today } from './release.ts';

/** The code that runs the stack: a release, or today's template with some functions of a release. */
export type Code = Release & {
	readonly environment: Readonly<Record<string, string>>;
	/** The code of all its functions; null: some belong to another release. */
	readonly contract: Contract | null;
};

/** A stack, with the operators' commands of its code. */
export type Running = StackProcess & {
	readonly state_dir: string;
	readonly code: Code;
	/** Runs a command of `npm run ops` and returns what it printed. */
	// biome-ignore lint/suspicious/noExplicitAny: checks look into any value that came back
	ops(...args: readonly string[]): Promise<any>;
};

export const whole = (release: Release): Code => ({ ...release, environment: {}, contract: contractOf(release) });

/** Today's template; the seed chooses the functions that are still those of `former`, the output of its CDK. */
export function halfWay(former: string, seed: number): Code {
	const { node, folder, args } = today.program;
	const entry = join(import.meta.dirname, '../mixed-stack.ts');
	const program = { folder, node, args: args.map((arg) => (arg === 'local/start.ts' ? entry : arg)) };
	const environment = { FORMER_CDK_OUT: former, MIX_SEED: String(seed) };
	return { name: `mixed by seed ${seed}`, folder, program, environment, contract: null };
}

/** Starts a stack on a state directory, which may be that of other code. */
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

/** Whether a command gave up because the stack, on a busy machine, did not answer in time. */
export const isBusy = (error: unknown): boolean => /does not answer|failed with timeout|Busy/.test(String(error));

/** Today's commands, in this process: a process for each takes more time than everything else that a stack is filled by. */
function opsHere({ state_dir }: Pick<Running, 'state_dir'>): Ops {
	let operator: Promise<ReturnType<typeof operatorAt>> | null = null;
	return async (...args) => {
		operator ??= operatorOf({ state_dir }).then((deps) => operatorAt(deps));
		const { code, out, err } = await (await operator)(...args, '--json');
		if (code !== 0) throw new Error(`npm run ops -- ${args.slice(0, 2).join(' ')}: ${out} ${err}`);
		return JSON.parse(out);
	};
}

/** The commands of a release, by its own code. */
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
			// A command that creates something may have done so before it gave up, so repeating it would create another one.
			if (isBusy(error) && !args.includes('create')) return null;
			throw error;
		});
	};
}

/** Keeps the code that a stack runs on, which its next start replaces. Returns the folder. */
export function keepCode({ state_dir }: Pick<Running, 'state_dir'>, folder: string): string {
	cpSync(join(state_dir, 'cdk.out'), folder, { recursive: true });
	return folder;
}
