import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

// Runs operator commands of a release, one for each message: `fork('run-ops.js', [<checkout>])`. A process for each command would
// spend two seconds of processor time on loading modules.

const [folder = ''] = process.argv.slice(2);
const { runOps } = await import(join(folder, 'ops/program.ts'));
const { connect } = await import(join(folder, 'ops/connect.ts'));
const connected = {};

/** Runs one command, and sends its output back. */
async function run({ id, args }) {
	const out = [];
	const err = [];
	const session = {
		progress: () => undefined,
		note: (line) => err.push(line),
		stopped: () => false,
		pause: (ms) => wait(ms),
	};
	const write = (text) => out.push(text);
	const once = (target) => {
		const name = JSON.stringify(target);
		connected[name] ??= connect(target).catch((error) => {
			delete connected[name];
			throw error;
		});
		return connected[name];
	};
	const code = await runOps(args, { connect: once, session, write, columns: null }).catch((error) => String(error));
	process.send({ id, code, out: out.join('\n'), err: err.join('\n') });
}

process.on('message', (command) => void run(command));
