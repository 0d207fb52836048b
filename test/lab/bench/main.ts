import { cpus, loadavg, release, totalmem } from 'node:os';
import { clickToDial } from './click-to-dial.ts';
import { coldStart } from './cold-start.ts';
import { cost } from './cost-of-calls.ts';
import { deliveries } from './deliveries.ts';
import { desk } from './desk.ts';
import { flows } from './flows.ts';
import { lists } from './lists.ts';
import type { Section, Size } from './row.ts';
import { bundles, warmRequest } from './sizes.ts';

// `npm run lab -- bench` measures speed, size and cost, and compares them with the usual stack and with BullMQ. The ratios can be
// compared between machines, the absolute values cannot. `-- --quick` only shows that everything runs; `-- --only <name>` runs
// one section.

const sections: readonly Section[] = [
	coldStart,
	bundles,
	warmRequest,
	deliveries,
	clickToDial,
	cost,
	lists,
	desk,
	flows,
];

const processors = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
console.log(`${processors}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${process.platform} ${release()}
Node.js ${process.versions.node}, OpenSSL ${process.versions.openssl}
load of the last minute ${loadavg()[0]?.toFixed(1)}: with more than the processors can do, only ratios mean anything`);

const args = process.argv.slice(2);
const size: Size = args.includes('--quick') ? 'quick' : 'full';
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : null;
for (const { name, run } of sections) if (only === null || name === only) console.table(await run(size));
process.exit(0);
