import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { functionStandIns } from '../../support/aws/function-stand-ins.ts';
import { playFlows } from '../../support/flows/played-flows.ts';
import { row, type Section } from './row.ts';

const root = `file://${join(import.meta.dirname, '../../..')}/`;
const FLOWS = ['A click to the dial', "A phone's callback to the POST", 'A list of twelve calls'];

/**
 * Counts the files that a person has to read to follow a request to its end. These are the files in `shared/` and `functions/`
 * whose code runs for the request, according to V8's coverage. Code that runs when a module is loaded does not count. Files that
 * only contain types do not count either.
 */
export const flows: Section = {
	name: 'flows',
	async run() {
		const { env, stop } = await functionStandIns();
		const filesOf = await coverage();
		const read = new Map<string, Set<string>>();
		await playFlows(env, '503 Busy', async ({ flow }, act) => {
			const files = await filesOf(act);
			read.set(flow, new Set([...(read.get(flow) ?? []), ...files]));
		});
		await stop();
		return FLOWS.map((flow) => {
			const files = [...(read.get(flow) ?? [])].sort();
			if (process.argv.includes('--files')) console.log([`\n${flow}:`, ...files].join('\n'));
			return row(`files on the way of: ${flow}`, 'none', `${files.length} files`);
		});
	},
};

/** Returns a function that runs `act` and returns the files whose code ran. */
async function coverage() {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	return async (act: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
		// Reading the counters resets them.
		await session.post('Profiler.takePreciseCoverage');
		await act();
		const { result } = await session.post('Profiler.takePreciseCoverage');
		const ours = result.filter(({ url }) => url.startsWith(`${root}shared/`) || url.startsWith(`${root}functions/`));
		const inUse = ours.filter(({ functions }) => functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0));
		return new Set(inUse.map(({ url }) => url.slice(root.length)));
	};
}
