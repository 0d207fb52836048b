import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium } from './chromium.ts';
import type { EngineStart, Look } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { differences, pale, type Shot, takePictures } from './pictures.ts';
import { playStory } from './story.ts';
import { startWebKit } from './webkit.ts';

// `npm run lab -- browsers` plays the widget's story in Chromium, Firefox and WebKit, takes a screenshot of each state in each
// engine, and compares them with Chromium's. `npm run lab -- browsers webkit light story` uses one engine, one look and one part
// (`story` or `states`). Without Chromium, nothing is compared.

const engines: Readonly<Record<string, EngineStart>> = {
	chromium: startChromium,
	firefox: startFirefox,
	webkit: startWebKit,
};
const looks: Readonly<Record<string, Look>> = {
	light: { scheme: 'light' },
	dark: { scheme: 'dark' },
	forced: { scheme: 'dark', forcedColours: true },
};
const folder = join(import.meta.dirname, '../../../.local/browsers');

type Result = {
	readonly version: string;
	readonly faults: readonly string[];
	readonly shots: Readonly<Record<string, readonly Shot[]>>;
};

/** The entries with the wanted names. If none of the names is known, all entries. */
function chosen<T>(all: Readonly<Record<string, T>>, wanted: readonly string[]): readonly (readonly [string, T])[] {
	const named = Object.entries(all).filter(([name]) => wanted.includes(name));
	return named.length > 0 ? named : Object.entries(all);
}

/** Plays the story once, and takes the screenshots of each look. Null if the engine is not installed. */
async function runEngine(name: string, start: EngineStart, wanted: readonly string[]): Promise<Result | null> {
	const faults: string[] = [];
	const shots: Record<string, readonly Shot[]> = {};
	const tell = (line: string): void => {
		console.log(`${name}: ${line}`);
		if (line.startsWith('FAILED')) faults.push(line);
	};
	let version = '';
	const parts = chosen({ story: true, states: true }, wanted).map(([part]) => part);
	for (const [look, setting] of chosen(looks, wanted)) {
		const engine = await start(setting);
		if (engine === null) continue;
		version = engine.version;
		try {
			if (parts.includes('story') && Object.keys(shots).length === 0) await playStory(engine.tab, tell);
			shots[look] = !parts.includes('states')
				? []
				: await takePictures(engine.tab, (line) => tell(line.replace(/^FAILED {2}/, `FAILED  ${look}, `)));
		} catch (error) {
			tell(`FAILED  ${look}, the run ended: ${String(error)}`);
		} finally {
			await engine.close();
		}
	}
	return version === '' ? null : { version, faults, shots };
}

const fileOf = (engine: string, look: string, { name }: Shot): string =>
	`${engine}-${look}-${name.replaceAll(/\W+/g, '-')}.png`;

/** Writes the screenshots, and a page that shows them side by side. */
function writePictures(results: ReadonlyMap<string, Result>): void {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const rows: string[] = [];
	for (const look of Object.keys(looks)) {
		const names = new Set([...results.values()].flatMap(({ shots }) => shots[look]?.map(({ name }) => name) ?? []));
		for (const shown of names) {
			const cells = [...results].map(([engine, { shots }]) => {
				const shot = shots[look]?.find(({ name }) => name === shown);
				if (shot === undefined) return '<td>';
				writeFileSync(join(folder, fileOf(engine, look, shot)), shot.picture);
				return `<td><img src="${fileOf(engine, look, shot)}" width="480" loading="lazy" alt="">`;
			});
			rows.push(`<tr><th>${look}, ${shown}${cells.join('')}`);
		}
	}
	const head = [...results.values()].map(({ version }) => `<th>${version}`).join('');
	writeFileSync(
		join(folder, 'index.html'),
		`<!doctype html><meta charset="utf-8"><title>Browsers</title><table><tr><th>${head}${rows.join('\n')}</table>`,
	);
}

const wanted = process.argv.slice(2);
const results = new Map<string, Result>();
for (const [name, start] of chosen(engines, wanted)) {
	const result = await runEngine(name, start, wanted);
	if (result === null) console.log(`${name}: skipped`);
	else results.set(name, result);
}
writePictures(results);
const reference = results.get('chromium');
let failed = false;
for (const [name, { version, faults, shots }] of results) {
	const found = [...faults];
	for (const [look, taken] of Object.entries(shots)) {
		const compared = reference?.shots[look] ?? [];
		const paleHere = look === 'forced' ? [] : pale(taken);
		found.push(...[...differences(taken, compared), ...paleHere].map((line) => `${look}, ${line}`));
	}
	const count = Object.values(shots).flat().length;
	console.log(`\n${version}: ${count} states, ${found.length === 0 ? 'passed' : `${found.length} findings`}`);
	for (const line of found) console.log(`  ${name}: ${line}`);
	failed ||= found.length > 0;
}
console.log(`\nThe pictures, side by side: ${join(folder, 'index.html')}`);
if (failed) process.exitCode = 1;
