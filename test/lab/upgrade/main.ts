import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stackBuild } from '../../../local/build-and-synth.ts';
import { copyPages } from '../../../local/console/server/build-pages.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { compared, takenAway } from '../../upgrade/templates.ts';
import { packagesOf } from './around/packages.ts';
import { prepareRelease, type Release, today } from './around/release.ts';
import { type Code, halfWay, keepCode, type Running, whole } from './around/running.ts';
import { type Checks, startChecks } from './checks.ts';
import { fill } from './fill.ts';
import { askPhones } from './kinds/phones.ts';
import { templateIn } from './mix.ts';
import { type End, fillState, openStage } from './stage.ts';

// Checks that everything a release stored, sent or handed out keeps working: see CONTRIBUTING.md.

const { values } = parseArgs({
	options: {
		from: { type: 'string' },
		seeds: { type: 'string', default: '3' },
		fill: { type: 'string' },
		/** With this option, the command fails if it cannot run. `npm run release` uses the option. */
		needed: { type: 'boolean', default: false },
	},
});
if (!/^\d{1,3}$/.test(values.seeds)) {
	console.error('--seeds takes a whole number from 0 to 999.');
	process.exit(2);
}

const say = (line: string): void => console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}`);

/** One step: the code that replaces the previous code, and how the previous stack ends. */
type Step = { readonly name: string; readonly code: Code; readonly end: End };

/** The steps: forward, back, then one half-way deployment for each seed, and forward again. */
function wayOf(former: Release, cdkOut: string, seeds: number): readonly Step[] {
	const then = whole(former);
	const now = whole(today);
	const mixes = Array.from({ length: seeds }, (_, n) => halfWay(cdkOut, n + 1));
	return [
		{ name: 'forward', code: now, end: 'killed' },
		{ name: 'back', code: then, end: 'stopped' },
		...mixes.map((code, n): Step => ({ name: code.name, code, end: n % 2 === 0 ? 'stopped' : 'killed' })),
		...(seeds > 0 ? [{ name: 'forward again', code: now, end: 'stopped' } as const] : []),
	];
}

/** What a deployment of today's template would remove from the release's stack. */
function compareTemplates(formerCdkOut: string, { state_dir }: Running): readonly string[] {
	const before = templateIn(formerCdkOut);
	const faults = takenAway(before, templateIn(join(state_dir, 'cdk.out')));
	say(`    template: ${compared(before)}${faults.length === 0 ? ': all stay' : ': FAULT'}`);
	return faults.map((fault) => `template: ${fault}`);
}

/** Measures how long each part of a step took. */
function stopwatch() {
	const parts: string[] = [];
	let sinceMs = performance.now();
	return {
		note(part: string): void {
			parts.push(`${part} ${((performance.now() - sinceMs) / 1000).toFixed(0)} s`);
			sinceMs = performance.now();
		},
		all: (): string => parts.join(', '),
	};
}

/** Upgrades and checks. Returns the checks that fail. */
async function upgrade(former: Release, seeds: number): Promise<readonly string[]> {
	const directory = temporaryDirectory('upgrade-');
	// The stack and the pages are built in advance, so that one stack replaces another within seconds. In this run, a call must
	// be set up within 40 s.
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
		const formerCdkOut = keepCode(site.stack(), join(directory, 'former.cdk.out'));
		const way = wayOf(former, formerCdkOut, seeds);
		let { filled, busy, longest } = await fill(site, packages, { nth: 0, isLast: way.length === 1 });
		say(`    filled: ${longest}`);
		const begun: Checks[] = [];
		for (const [n, { name, code, end }] of way.entries()) {
			const { calls, deliveries } = busy;
			say(`${name}: ${code.name} takes the place of ${site.stack().code.name}, which is ${end}`);
			say(`    at work: ${calls} calls and ${deliveries} deliveries, and the last requests`);
			if (Math.min(calls, deliveries) === 0) faults.push(`${name}: no call or no delivery was in progress`);
			const taken = stopwatch();
			await stage.replace(code, end);
			taken.note('started');
			if (n === 0) faults.push(...compareTemplates(formerCdkOut, site.stack()));
			const checks = startChecks(name, filled);
			// Fills the stack for the next step while the checks of this step run.
			const left = way.length - n - 1;
			if (left > 0) ({ filled, busy, longest } = await fill(site, packages, { nth: n + 1, isLast: left === 1 }));
			taken.note(left > 0 ? `filled (${longest})` : 'not filled');
			faults.push(...(await checks.quick(say)));
			taken.note('checked');
			const { answers, faults: wrong } = site.judged();
			const counts = answers.map(([name, count]) => `${count} as that of ${name}`).join(', ');
			say(`    API documents: answers so far: ${counts}: ${wrong.length === 0 ? 'all understood' : 'FAULT'}`);
			const phones = await askPhones(site);
			const verdict = phones.faults.length === 0 ? 'none twice, no callback refused' : 'FAULT';
			say(`    phones: ${phones.dials} dials: ${verdict}`);
			say(`    ${name} took: ${taken.all()}`);
			faults.push(...phones.faults.map((fault) => `${name}: phones: ${fault}`));
			begun.push(checks);
		}
		for (const checks of begun) faults.push(...(await checks.slow(say)));
	} finally {
		await stage.stop();
		rmSync(directory, { recursive: true, force: true });
	}
	faults.push(...site.judged().faults);
	say(`${site.repeated()} requests were answered 503 and sent again`);
	return faults;
}

const preparation = prepareRelease(values.from);
if ('missing' in preparation) {
	console.log(`skipped: ${preparation.missing}`);
	if (values.needed) process.exitCode = 1;
} else if (values.fill !== undefined) {
	await fillState(preparation.release, values.fill);
	say(`${values.fill} is the state of ${preparation.release.name}, stopped at work`);
} else {
	const faults = await upgrade(preparation.release, Number(values.seeds));
	say(faults.length === 0 ? 'everything holds' : `${faults.length} faults:`);
	for (const fault of faults) console.log(fault);
	process.exitCode = faults.length === 0 ? 0 : 1;
}
