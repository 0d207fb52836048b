import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import { awsCli } from '../aws-cli.ts';
import { OperatorError } from '../operator-error.ts';

const text = z._default(z.string(), '');
/** A log line about a call. */
const CallLine = z.object({
	timestamp: z.iso.datetime(),
	fact: z.string(),
	call_id: z.string(),
	leg_id: text,
	operation: text,
	outcome: text,
	code: text,
	said: text,
	version: z.optional(z.number()),
});
export type CallLine = z.infer<typeof CallLine>;

type Place = { readonly CALL_LOGS?: string | undefined; readonly LOG_DIRECTORY?: string | undefined };

/** Reads what the functions have logged about a call since a time, oldest first. */
export function callLines({ CALL_LOGS = '', LOG_DIRECTORY }: Place) {
	return async (call_id: string, since: string): Promise<readonly CallLine[]> => {
		const readGroup =
			LOG_DIRECTORY === undefined ? () => onAws(CALL_LOGS, call_id, since) : () => inFolder(LOG_DIRECTORY);
		const lines = (await readGroup()).flatMap((line) => CallLine.safeParse(parseJson(line)).data ?? []);
		return lines.filter((line) => line.call_id === call_id).sort((a, b) => a.timestamp.localeCompare(b.timestamp));
	};
}

async function inFolder(folder: string): Promise<readonly string[]> {
	const files = readdirSync(folder).filter((name) => name.endsWith('.log'));
	return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
}

const Events = z.object({ events: z.array(z.object({ message: z.string() })) });

async function onAws(groups: string, call_id: string, since: string): Promise<readonly string[]> {
	const start = String(Date.parse(since));
	const read = async (group: string): Promise<readonly string[]> => {
		const of_group = ['--log-group-name', group, '--filter-pattern', `"${call_id}"`, '--start-time', start];
		const output = await awsCli('logs', 'filter-log-events', ...of_group).catch((error: unknown) => {
			throw new OperatorError(`the log ${group} cannot be read: ${String(error).slice(0, 300)}`);
		});
		if (output === null) throw new OperatorError('install the AWS CLI: it reads the logs');
		return Events.parse(parseJson(output)).events.map(({ message }) => message);
	};
	if (groups === '') throw new OperatorError('deploy first: the outputs do not name the logs');
	return (await Promise.all(groups.split(',').map(read))).flat();
}
