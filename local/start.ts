import { EXIT, runProgram } from '../ops/run-program.ts';
import { refuseWindows } from './aws/dynoxide.ts';
import { diskFault, spaceFault } from './disk.ts';
import { readOptions } from './options.ts';
import type { Stack } from './stack.ts';

/**
 * If less space than this is free, requests begin to fail, because the table, the queues and the functions' logs cannot grow.
 */
const SPARE_MB = 8;
const WATCH_MS = 5000;

function report(stack: Stack, seconds: string): string {
	return `
The stack is up (${seconds} s). Everything it keeps is in ${stack.state_dir}. Ctrl-C stops it.

Open the demo shop, choose its country, click the number that answers, and ask for a call. No real phone rings.

  demo shop   ${stack.demo_url}#key=${stack.console_key}
  console     ${stack.console_url}/#key=${stack.console_key}
  desk        ${stack.desk_url}   (sign in as ${stack.desk_owner}, or press Open the desk in the console)
  API         ${stack.base_url}
  API key     ${stack.api_key}
  widget key  ${stack.workspace_key}   (allowed origin ${stack.allowed_origin})
  inbox       ${stack.inbox_url}`;
}

await runProgram(async () => {
	const options = readOptions(process.argv.slice(2));
	const seconds = (): string => (performance.now() / 1000).toFixed(1);
	const onStep = (text: string): void => console.log(`${seconds().padStart(5)} s  ${text}`);
	refuseWindows(process.platform);
	onStep('Starting. A start with new code builds everything, which takes about half a minute.');
	// Loading the modules of the stack takes a second, so the line above is printed first.
	const { startStack } = await import('./stack.ts');
	const stack = await startStack(options, { with_history: true, onStep });
	console.log(report(stack, seconds()));
	let stopping = false;
	const stop = (exitCode: number): void => {
		if (stopping) return;
		stopping = true;
		console.log('\nStopping ...');
		// If one part cannot be stopped, the other parts must still stop.
		void stack
			.stop()
			.then(() => console.log('Stopped.'), console.error)
			.finally(() => process.exit(exitCode));
	};
	process.on('SIGINT', () => stop(EXIT.done));
	process.on('SIGTERM', () => stop(EXIT.done));
	const watch = setInterval(() => {
		const fault = spaceFault(stack.state_dir, SPARE_MB);
		if (fault === null) return;
		console.error(`\n${fault}`);
		clearInterval(watch);
	}, WATCH_MS);
	watch.unref();
	const end = (fault: string): void => {
		if (!stopping) console.error(`\n${fault}`);
		stop(EXIT.refused);
	};
	void stack.broken.then(end);
	// Files are written in the background. So if the disk is full, the error reaches no caller but arrives here.
	process.on('uncaughtException', (error) => {
		const fault = diskFault(error);
		if (fault === null) console.error(error);
		end(fault ?? 'A part of the stack failed with the error above, so it stops. Run npm start again.');
	});
});
