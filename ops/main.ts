import { runOps } from './program.ts';
import { terminalSession } from './session.ts';

const { clear, ...session } = terminalSession();

process.exitCode = await runOps(process.argv.slice(2), {
	// The AWS clients are loaded only when a command connects, so that help is shown at once.
	connect: async (target) => {
		const { connect } = await import('./connect.ts');
		return connect(target);
	},
	session,
	write: (text) => {
		clear();
		console.log(text);
	},
	columns: process.stdout.isTTY ? process.stdout.columns : null,
});
clear();
