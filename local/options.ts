import { parseArgs } from 'node:util';
import { LocalError } from './local-error.ts';

export type StackOptions = {
	/** The API's port; the console, the inbox and `npm run listen` take the next three. 0: any free ones. */
	readonly port: number;
	/** Speeds up phones and deadlines by this factor. */
	readonly speed: number;
	readonly retry_schedule: string | null;
	readonly allow_webhook_hosts: readonly string[];
	readonly trust: string | null;
	readonly fresh: boolean;
	readonly state_dir: string;
};

export const USAGE = `npm start -- [options]
  --port N                       the API's port (3000); the console, the webhook inbox and npm run listen take the next three
  --speed N                      simulated phones run N times as fast, and call deadlines up to 3 times (1)
  --retry-schedule 0,1,2         seconds before each delivery attempt
  --allow-webhook-host host:port webhooks may go to this address of your machine; repeatable
  --trust ca.pem                 certificate authority of your own receivers
  --fresh                        forget everything in the state directory
  --state-dir DIR                where state is kept (.local)
  --help                         shows this`;

function usage(message: string): LocalError {
	return new LocalError(`${message}\n\n${USAGE}`);
}

function numberBetween(name: string, text: string, least: number, most: number): number {
	const value = Number(text);
	if (text.trim() === '' || !Number.isFinite(value) || value < least || value > most) {
		throw usage(`--${name} takes a number from ${least} to ${most}`);
	}
	return value;
}

/** Parses the command line; throws an error with the usage if it is invalid. */
export function readOptions(args: readonly string[]): StackOptions {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				port: { type: 'string', default: '3000' },
				speed: { type: 'string', default: '1' },
				'retry-schedule': { type: 'string' },
				'allow-webhook-host': { type: 'string', multiple: true, default: [] },
				trust: { type: 'string' },
				fresh: { type: 'boolean', default: false },
				'state-dir': { type: 'string', default: '.local' },
			},
		});
		const schedule = values['retry-schedule'] ?? null;
		if (schedule !== null && !/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/.test(schedule)) {
			throw usage('--retry-schedule takes seconds separated by commas, such as 0,1,2');
		}
		const hosts = values['allow-webhook-host'];
		const bad = hosts.find((host) => !/^[^\s/:]+:\d{1,5}$/.test(host));
		if (bad !== undefined) throw usage('--allow-webhook-host takes host:port, such as localhost:9443');
		return {
			port: numberBetween('port', values.port, 0, 65_532),
			speed: numberBetween('speed', values.speed, 0.1, 1000),
			retry_schedule: schedule,
			allow_webhook_hosts: hosts,
			trust: values.trust ?? null,
			fresh: values.fresh,
			state_dir: values['state-dir'],
		};
	} catch (error) {
		if (error instanceof TypeError) throw usage(error.message);
		throw error;
	}
}
