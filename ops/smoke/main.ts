import { parseArgs } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import { alarms } from './alarms.ts';
import { callCompletes, callIsCancelled, callsAreOff } from './call-checks.ts';
import { desk, documentAndPaths, hostileRequests, keysAndPermissions, leads, origins } from './edge-checks.ts';
import { type Site, SmokeFailure } from './probe.ts';
import { openSite } from './site.ts';
import {
	createEndpoint,
	deleteEndpoint,
	exerciseEndpoint,
	sweepIsInTime,
	sweepRuns,
	webhooksArrive,
} from './webhook-checks.ts';

const USAGE = `npm run smoke -- [options]
  --outputs FILE       the deployed stack of these outputs (npm run deploy writes them), with your AWS credentials
  --state-dir DIR      without it: the stack on this machine (.local)
  --inbox URL          https address that webhooks are sent to; with --inbox-shows
  --inbox-shows URL    where what the inbox received is shown as JSON: [{ "headers": {}, "body": "" }]`;

/** The findings: the failed functions, with one line for each. */
type Report = { readonly failed: Set<string>; line(mark: string, text: string): void };

/** `run` may return details. */
async function check(report: Report, what: string, run: () => Promise<unknown>): Promise<void> {
	try {
		const result = await run();
		report.line('ok', typeof result === 'string' ? `${what}: ${result}` : what);
	} catch (error) {
		if (!(error instanceof SmokeFailure)) throw error;
		report.failed.add(error.culprit);
		report.line('FAILED', `${what}\n        ${error.culprit}: ${error.message}`);
	}
}

async function checkAll(site: Site, report: Report): Promise<void> {
	await check(report, 'the description of the API, and paths that are none', () => documentAndPaths(site));
	await check(report, 'API keys and their permissions', () => keysAndPermissions(site));
	await check(report, 'origins', () => origins(site));
	await check(report, 'a body that is not UTF-8, and a header that is too long', () => hostileRequests(site));
	await check(report, 'the desk', () => desk(site));
	await check(report, 'leads, and the index of the lists', () => leads(site));
	await check(report, 'webhook endpoints and the calls of a visitor', () => endpointsAndCalls(site, report));
	await check(report, 'nothing has been due for minutes', () => sweepIsInTime(site));
}

async function endpointsAndCalls(site: Site, report: Report): Promise<void> {
	const endpoint = await createEndpoint(site);
	try {
		const usedEndpoint = await exerciseEndpoint(site, endpoint);
		await check(report, 'the sweep runs', () => sweepRuns(site, usedEndpoint));
		if (site.inbox === null) return;
		if (site.provider !== 'simulator') return;
		await check(report, 'a simulated call, and its verified webhooks', async () => {
			await webhooksArrive(site, usedEndpoint, await callCompletes(site));
		});
		await check(report, 'a call that is cancelled', () => callIsCancelled(site));
	} finally {
		await deleteEndpoint(site, endpoint);
	}
}

async function withoutSimulator(site: Site, report: Report): Promise<void> {
	if (site.provider === 'none') await check(report, 'calls are refused, there is no provider', () => callsAreOff(site));
	if (site.provider === 'simulator' && site.inbox !== null) return;
	const why = site.provider === 'simulator' ? 'give --inbox to see webhooks' : 'it is simulated calls that are placed';
	report.line('skipped', `a call and its webhooks: ${why} (provider ${site.provider})`);
}

async function main(argv: readonly string[]): Promise<number> {
	const text = { type: 'string' } as const;
	const options = {
		help: { type: 'boolean' } as const,
		outputs: text,
		'state-dir': text,
		inbox: text,
		'inbox-shows': text,
	};
	const { values } = parseArgs({ args: [...argv], options });
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	const site = await openSite(values);
	const failures = new Set<string>();
	const report: Report = { failed: failures, line: (mark, what) => console.log(`${mark.padEnd(8)}${what}`) };
	try {
		await checkAll(site, report);
		await withoutSimulator(site, report);
		await check(report, 'alarms', () => alarms(values.outputs ?? null));
	} finally {
		await site.close();
	}
	if (failures.size === 0) return 0;
	console.error(`Failed: ${[...failures].join(', ')}. See docs/runbook.md#a-function-fails.`);
	return 1;
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	if (!(error instanceof OperatorError || (error instanceof TypeError && 'code' in error))) throw error;
	console.error(`${error.message}\n\n${USAGE}`);
	process.exitCode = 2;
}
