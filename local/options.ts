import { InvalidArgumentError } from '@commander-js/extra-typings';
import { commandLine } from '../ops/run-program.ts';

export type StackOptions = {
	/**
	 * The port of the API. The console, the inbox and `npm run listen` use the three ports after it. With 0, any free ports
	 * are used.
	 */
	readonly port: number;
	/** How many times faster than normal the phones and the deadlines run. */
	readonly speed: number;
	readonly retry_schedule: string | null;
	readonly allow_webhook_hosts: readonly string[];
	readonly trust: string | null;
	readonly fresh: boolean;
	readonly state_dir: string;
	/** The function to which a debugger will attach. Null if there is none. */
	readonly inspect: string | null;
};

function numberBetween(least: number, most: number): (text: string) => number {
	return (text) => {
		const value = Number(text);
		if (text.trim() !== '' && value >= least && value <= most) return value;
		throw new InvalidArgumentError(`It takes a number from ${least} to ${most}.`);
	};
}

function secondsList(text: string): string {
	if (/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/.test(text)) return text;
	throw new InvalidArgumentError('It takes seconds separated by commas, such as 0,1,2.');
}

function addHost(text: string, before: readonly string[] = []): readonly string[] {
	if (/^[^\s/:]+:\d{1,5}$/.test(text)) return [...before, text];
	throw new InvalidArgumentError('It takes host:port, such as localhost:9443.');
}

/** Reads the command line. If it is invalid, prints the usage and throws a `CommanderError`. */
export function readOptions(args: readonly string[]): StackOptions {
	const program = commandLine('npm start --')
		.option(
			'--port <n>',
			"the API's port; the console, the webhook inbox and npm run listen take the next three",
			numberBetween(0, 65_532),
			3000,
		)
		.option(
			'--speed <n>',
			'simulated phones run n times as fast, and call deadlines up to 3 times',
			numberBetween(0.1, 1000),
			1,
		)
		.option('--retry-schedule <0,1,2>', 'seconds before each delivery attempt', secondsList)
		.option('--allow-webhook-host <host:port>', 'webhooks may go to this address of your machine; repeatable', addHost)
		.option('--trust <ca.pem>', 'certificate authority of your own receivers')
		.option('--fresh', 'forget everything in the state directory')
		.option('--inspect <function>', 'let a debugger attach to this function, on port 9229')
		.option('--state-dir <dir>', 'where state is kept', '.local')
		.parse(args, { from: 'user' });
	const options = program.opts();
	return {
		port: options.port,
		speed: options.speed,
		retry_schedule: options.retrySchedule ?? null,
		allow_webhook_hosts: options.allowWebhookHost ?? [],
		trust: options.trust ?? null,
		fresh: options.fresh ?? false,
		state_dir: options.stateDir,
		inspect: options.inspect ?? null,
	};
}
