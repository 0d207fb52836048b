import { coldStart } from './cold-start.ts';
import { deliveries } from './deliveries.ts';
import { machine } from './machine.ts';
import { type Row, type Section, type Size, table } from './row.ts';

// `npm run bench`: compares a cold start with the usual stack, and deliveries with BullMQ. You can compare ratios between
// machines, but not absolute values. `-- --quick` only shows that everything runs; `-- --only <name>` runs one section.

const sections: readonly Section[] = [coldStart, deliveries];

/** A section that cannot run prints the reason instead. Figures are a report, never a test. */
async function rowsOf({ name, run }: Section, size: Size): Promise<readonly Row[]> {
	try {
		return await run(size);
	} catch (error) {
		const measured = `not measured: ${error instanceof Error ? error.message : String(error)}`.split('\n', 1)[0] ?? '';
		return [{ what: name, goal: '', measured, ratio: '' }];
	}
}

const args = process.argv.slice(2);
const size: Size = args.includes('--quick') ? 'quick' : 'full';
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : null;
const rows: Row[] = [];
for (const section of sections) {
	if (only !== null && section.name !== only) continue;
	console.error(`${section.name} ...`);
	rows.push(...(await rowsOf(section, size)));
}
console.log(`${await machine()}\n\n${table(rows)}`);
process.exit(0);
