import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '../../support/temporary.ts';
import { type Checks, startChecks } from './checks.ts';
import { fill } from './fill.ts';
import { noPhoneRangTwice } from './kinds/phones.ts';
import { prepareRelease, type Release, today } from './release.ts';
import { type Code, halfWay, keepCode, whole } from './running.ts';
import { openStage } from './stage.ts';

// What a release stored, sent or handed out keeps working: see docs/contributing.md.

const { values } = parseArgs({
	options: { from: { type: 'string' }, seeds: { type: 'string', default: '3' } },
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
		{ name: 'forward again', code: now },
	];
}

/** Returns what does not hold. */
async function upgrade(former: Release, seeds: number): Promise<readonly string[]> {
	const directory = temporaryDirectory('upgrade-');
	say(`${former.name} starts`);
	const stage = await openStage(join(directory, 'state'), whole(former));
	const { site } = stage;
	const faults: string[] = [];
	try {
		const way = wayOf(former, keepCode(site.stack(), join(directory, 'former.cdk.out')), seeds);
		let filled = await fill(site);
		let before: Checks | null = null;
		for (const [n, { name, code }] of way.entries()) {
			say(`${name}: ${code.name} takes the place of ${site.stack().code.name}`);
			await stage.replace(code);
			const checks = startChecks(name, filled);
			// The next step's calls are in progress while this one's are checked.
			filled = n + 1 < way.length ? await fill(site) : [];
			faults.push(...(await checks.quick(say)), ...((await before?.slow(say)) ?? []));
			say(`    phones: ${await noPhoneRangTwice(site)} dials, none twice`);
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
} else {
	const faults = await upgrade(preparation.release, Number(values.seeds));
	say(faults.length === 0 ? 'everything holds' : `${faults.length} faults:`);
	for (const fault of faults) console.log(fault);
	process.exitCode = faults.length === 0 ? 0 : 1;
}
