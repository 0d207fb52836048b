import { commandLine, runProgram } from '../run-program.ts';
import { docsPage, outputsOf, typed } from '../typed.ts';
import { alarms } from './alarms.ts';
import { callCompletes, callIsCancelled, callsAreOff } from './call-checks.ts';
import { desk, documentAndPaths, hostileRequests, keysAndPermissions, leads, origins } from './edge-checks.ts';
import { Remark, type Site, SmokeFailure } from './probe.ts';
import { openSite } from './site.ts';
import {
	createCheckEndpoint,
	deleteCheckEndpoint,
	exerciseEndpoint,
	sweepIsInTime,
	sweepRuns,
	webhooksArrive,
} from './webhook-checks.ts';
import { zoneData } from './zone-data.ts';

/**
 * The result of the smoke test. `failed`: the names of the functions that have failed. `line` prints one line for a check.
 */
type Report = { readonly failed: Set<string>; line(mark: string, text: string): void };

/** Runs one check. `run` may return details, or a `Remark`. */
async function check(report: Report, what: string, run: () => Promise<unknown>): Promise<void> {
	try {
		const result = await run();
		if (result instanceof Remark) report.line('note', `${what}: ${result.text}`);
		else report.line('ok', typeof result === 'string' ? `${what}: ${result}` : what);
	} catch (error) {
		if (!(error instanceof SmokeFailure)) throw error;
		report.failed.add(error.culprit);
		report.line('FAILED', `${what}\n        ${error.culprit}: ${error.message}`);
	}
}

async function checkAll(site: Site, report: Report): Promise<void> {
	await check(report, 'the description of the API, and unknown paths', () => documentAndPaths(site));
	await check(report, 'API keys and their permissions', () => keysAndPermissions(site));
	await check(report, 'origins', () => origins(site));
	await check(report, 'a body that is not UTF-8, and a header that is too long', () => hostileRequests(site));
	await check(report, 'the desk', () => desk(site));
	await check(report, 'leads, and the index of the lists', () => leads(site));
	await check(report, 'webhook endpoints and the calls of a visitor', () => endpointsAndCalls(site, report));
	await check(report, 'no work has been overdue for minutes', () => sweepIsInTime(site));
}

async function endpointsAndCalls(site: Site, report: Report): Promise<void> {
	const endpoint = await createCheckEndpoint(site);
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
		await deleteCheckEndpoint(site, endpoint);
	}
}

async function withoutSimulator(site: Site, report: Report): Promise<void> {
	if (site.provider === 'none') await check(report, 'calls are refused without a provider', () => callsAreOff(site));
	if (site.provider === 'simulator' && site.inbox !== null) return;
	const why = site.provider === 'simulator' ? 'give --inbox to see webhooks' : 'only simulated calls are placed';
	report.line('skipped', `a call and its webhooks: ${why} (provider ${site.provider})`);
}

await runProgram(async () => {
	const given = commandLine(typed('smoke'))
		.option('--outputs <file>', 'the deployed stack: the file of cdk deploy --outputs-file; with your AWS credentials')
		.option('--profile <name>', 'with --outputs: the profile of the AWS CLI with its credentials and region')
		.option('--state-dir <dir>', 'without --outputs: the stack on this machine (default: .local)')
		.option('--inbox <url>', 'https address that webhooks are sent to; with --inbox-shows')
		.option('--inbox-shows <url>', 'address that shows what the inbox got, as JSON: [{ "headers": {}, "body": "" }]')
		.parse()
		.opts();
	const options = { ...given, outputs: outputsOf(given) };
	const site = await openSite(options);
	const failures = new Set<string>();
	const report: Report = { failed: failures, line: (mark, what) => console.log(`${mark.padEnd(8)}${what}`) };
	try {
		await checkAll(site, report);
		await withoutSimulator(site, report);
		await check(report, 'alarms', () => alarms(options.outputs ?? null));
		await check(report, 'zone data', () => zoneData(options.outputs ?? null, options.stateDir ?? '.local'));
	} finally {
		await site.close();
	}
	if (failures.size === 0) return;
	console.error(`Failed: ${[...failures].join(', ')}. See ${docsPage('runbook.md')}#a-function-fails.`);
	process.exitCode = 1;
});
