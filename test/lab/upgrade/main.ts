import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stackBuild } from '../../../local/build-and-synth.ts';
import { copyPages } from '../../../local/console-server/build-pages.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { compared, takenAway } from '../../upgrade/templates.ts';
import { packagesOf } from './around/packages.ts';
import { prepareRelease, type Release, today } from './around/release.ts';
import { type Code, halfWay, keepCode, type Running, whole } from './around/running.ts';
import { type Checks, startChecks } from './checks.ts';
import { fill } from './fill.ts';
import { askPhones } from './kinds/phones.ts';
import { templateIn } from './mix.ts';
import { fillState, openStage } from './stage.ts';

// What a release stored, sent or handed out keeps working: see docs/contributing.md.

const { values } = parseArgs({
	options: { from: { type: 'string' }, seeds: { type: 'string', default: '3' }, fill: { type: 'string' } },
});

const say = (line: string): void => console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}`);

/** A step of the way: the code that takes the place of the one before. */
type Step = { readonly name: string; readonly code: Code };

/** Forward, back, and forward again through a deployment that is half done, once for each seed. */
function wayOf(former: Release, cdk_out: string, seeds: number): readonly Step[] {
	const [then, now] = [whole(former), whole(today)];
	const mixes = Array.from({ length: seeds }, (_, n) => halfWay(cdk_out, n + 1));
	return [
		{ name: 'forward', code: now },
		{ name: 'back', code: then },
		...mixes.map((code) => ({ name: code.name, code })),
		...(seeds > 0 ? [{ name: 'forward again', code: now }] : []),
	];
}

/** What a deployment of today's template over the release's would take away. */
function compareTemplates(former_cdk_out: string, { state_dir }: Running): readonly string[] {
	const before = templateIn(former_cdk_out);
	const faults = takenAway(before, templateIn(join(state_dir, 'cdk.out')));
	say(`    template: ${compared(before)}${faults.length === 0 ? ': all stay' : ': FAULT'}`);
	return faults.map((fault) => `template: ${fault}`);
}

/** Returns what does not hold. */
async function upgrade(former: Release, seeds: number): Promise<readonly string[]> {
	const directory = temporaryDirectory('upgrade-');
	// Built before, so that a stack takes the place of another in seconds: calls set up within 40 s here.
	await stackBuild();
	await copyPages(join(directory, 'pages'));
	say(`${former.name} starts`);
	const stage = await openStage(join(directory, 'state'), whole(former));
	const { site } = stage;
	if (site.pages === null) say('skipped: pages with the widget: this machine has no browser');
	const packages = await packagesOf(former);
	for (const [name, file] of Object.entries(packages))
		if (file === null) say(`skipped: ${name}: the packages that make it cannot be fetched`);
	const faults: string[] = [];
	try {
		const former_cdk_out = keepCode(site.stack(), join(directory, 'former.cdk.out'));
		const way = wayOf(former, former_cdk_out, seeds);
		let filled = await fill(site, packages);
		let before: Checks | null = null;
		for (const [n, { name, code }] of way.entries()) {
			say(`${name}: ${code.name} takes the place of ${site.stack().code.name}`);
			await stage.replace(code);
			if (n === 0) faults.push(...compareTemplates(former_cdk_out, site.stack()));
			const checks = startChecks(name, filled);
			// The next step's calls are in progress while this one's are checked.
			filled = n + 1 < way.length ? await fill(site, packages) : [];
			faults.push(...(await checks.quick(say)), ...((await before?.slow(say)) ?? []));
			const phones = await askPhones(site);
			const verdict = phones.faults.length === 0 ? 'none twice, no callback refused' : 'FAULT';
			say(`    phones: ${phones.dials} dials: ${verdict}`);
			faults.push(...phones.faults.map((fault) => `${name}: phones: ${fault}`));
			before = checks;
		}
		faults.push(...((await before?.slow(say)) ?? []));
	} finally {
		await stage.stop();
		rmSync(directory, { recursive: true, force: true });
	}
	return faults;
}

const preparation = prepareRelease(values.from);
if ('missing' in preparation) {
	console.log(`skipped: ${preparation.missing}`);
} else if (values.fill !== undefined) {
	await fillState(preparation.release, values.fill);
	say(`${values.fill} is the state of ${preparation.release.name}, stopped at work`);
} else {
	const faults = await upgrade(preparation.release, Number(values.seeds));
	say(faults.length === 0 ? 'everything holds' : `${faults.length} faults:`);
	for (const fault of faults) console.log(fault);
	process.exitCode = faults.length === 0 ? 0 : 1;
}
