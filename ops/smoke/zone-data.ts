import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { awsCli } from '../aws-cli.ts';
import { deployedStack } from '../deployed-stack.ts';
import { docsPage } from '../typed.ts';
import { Remark, SmokeFailure, waitFor } from './probe.ts';

const Groups = z.object({ logGroups: z.array(z.object({ logGroupName: z.string() })) });
const Lines = z.object({ events: z.array(z.object({ message: z.string() })) });
/** The sweep writes a log line every minute. So if the sweep runs, the newest line is younger than this. */
const RECENT_MS = 600_000;
/** A log line can be found only some seconds after it was written. */
const LOGGED_MS = 60_000;
const CLI_IS_MISSING = 'skipped: the AWS CLI is not installed';

/** The release of the zone data in the last line of the sweep's log, such as 2026c. Null if there is none. */
const releaseIn = (lines: string): string | null => lines.match(/(?<="zone_data":")\w+/g)?.at(-1) ?? null;

/**
 * Compares the zone data that opening hours follow with the zone data of this machine. If a country has recently changed its
 * clock by law, the functions' runtime may not know that yet. The result is then a remark and not a failure, because most
 * zones do not change. `outputs` is null for the local stack.
 */
export async function zoneData(outputs: string | null, stateDir: string): Promise<string | Remark> {
	const found = outputs === null ? { group: null } : await sweepLog(outputs);
	if ('unread' in found) return found.unread;
	const { group } = found;
	const read = () => (group === null ? localLines(stateDir) : deployedLines(group));
	const release = await waitFor('sweep', 'a line with zone_data in its log', LOGGED_MS, async () => {
		const lines = await read();
		return lines === null ? CLI_IS_MISSING : releaseIn(lines);
	});
	const own = process.versions['tz'] ?? '';
	if (release === CLI_IS_MISSING || release >= own) return release;
	return new Remark(
		`${release}, and this machine has ${own}: see ${docsPage('runbook.md')}#opening-hours-are-an-hour-off`,
	);
}

function localLines(stateDir: string): string {
	const file = join(stateDir, 'logs', 'sweep.log');
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * The log group of the deployed sweep, or the reason why the log cannot be read. Whether the sweep runs is the question of
 * another check.
 */
async function sweepLog(outputs: string): Promise<{ readonly group: string } | { readonly unread: string | Remark }> {
	const { name: stack } = deployedStack(outputs);
	const groups = await askLogs('describe-log-groups', '--log-group-name-prefix', `${stack}-`);
	if (groups === null) return { unread: CLI_IS_MISSING };
	const names = Groups.parse(JSON.parse(groups)).logGroups.map(({ logGroupName }) => logGroupName);
	const group = names.find((name) => name.includes('sweepLogs'));
	return group === undefined ? { unread: new Remark(`no log group ${stack}-*sweepLogs* to read it from`) } : { group };
}

/** The log lines of the deployed sweep from the last minutes. Null if the AWS CLI is not installed. */
async function deployedLines(group: string): Promise<string | null> {
	const since = String(Date.now() - RECENT_MS);
	const pattern = ['--filter-pattern', 'zone_data', '--start-time', since];
	const lines = await askLogs('filter-log-events', '--log-group-name', group, ...pattern);
	return lines === null
		? null
		: Lines.parse(JSON.parse(lines))
				.events.map(({ message }) => message)
				.join('\n');
}

async function askLogs(...args: readonly string[]): Promise<string | null> {
	try {
		return await awsCli('logs', ...args);
	} catch (error) {
		throw new SmokeFailure('monitoring', `aws logs ${args[0]}: ${String(error).slice(0, 300)}`);
	}
}
