import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Release } from './release.ts';

const Done = z.object({ id: z.int(), code: z.unknown(), out: z.string(), err: z.string() });
type Done = z.infer<typeof Done>;

/**
 * Runs `npm run ops` commands with the code of an earlier release, all of them in one child process. The first command starts
 * this process.
 */
export function formerOps({ folder, program }: Pick<Release, 'folder' | 'program'>) {
	const waiting = new Map<number, PromiseWithResolvers<Done>>();
	let child: ChildProcess | null = null;
	let commands = 0;
	function started(): ChildProcess {
		if (child !== null) return child;
		const script = join(import.meta.dirname, '../run-ops.js');
		const begun = fork(script, [folder], { cwd: folder, execPath: program.node, stdio: 'inherit' });
		begun.on('message', (message) => {
			const done = Done.parse(message);
			waiting.get(done.id)?.resolve(done);
			waiting.delete(done.id);
		});
		begun.on('exit', () => {
			for (const { reject } of waiting.values()) reject(new Error('the operators’ commands of the release have ended'));
		});
		child = begun;
		return begun;
	}
	return {
		/** Runs a command, and resolves when it has ended. */
		run(args: readonly string[]): Promise<Done> {
			commands += 1;
			const done = Promise.withResolvers<Done>();
			waiting.set(commands, done);
			started().send({ id: commands, args });
			return done.promise;
		},
		stop(): void {
			child?.kill();
			child = null;
		},
	};
}
