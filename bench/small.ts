import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { jsonLog } from '../shared/adapters/system/log.ts';
import { requestCall } from '../shared/contract/visitors/widget.ts';
import { forVisitors, handle } from '../shared/http/handle.ts';
import { samples } from '../test/conformance/store/records.ts';
import { unitsOfACall } from '../test/support/calls/metered-call.ts';
import { memoryStore } from '../test/support/memory-store.ts';
import { deployedBundles } from '../test/support/stack/builds.ts';
import type { Manifest } from '../widget/build.ts';
import { gatewayEvent } from './gateway-event.ts';
import { kb, median, type Section, type Size } from './row.ts';

export const bundleSize: Section = {
	name: 'bundle',
	async run() {
		const { outputs }: Metafile = JSON.parse(readFileSync(`${await deployedBundles()}.meta.json`, 'utf8'));
		const api = Object.entries(outputs).filter(
			([file, { entryPoint }]) => file.endsWith('.js') && entryPoint?.startsWith('functions/api/'),
		);
		const [largest] = api.sort(([, a], [, b]) => b.bytes - a.bytes);
		if (largest === undefined) throw new Error('there are no bundles');
		const [file, { bytes }] = largest;
		const name = file.split('/').at(-2) ?? '';
		return [{ what: 'largest API bundle, minified', goal: '290 KB', measured: `${kb(bytes)} (${name})`, ratio: '' }];
	},
};

export const widgetSize: Section = {
	name: 'widget',
	async run() {
		const manifest = join(await deployedBundles(), 'publish-widget/widget/manifest.json');
		const { gzip_size }: Manifest = JSON.parse(readFileSync(manifest, 'utf8'));
		return [{ what: 'widget, gzip', goal: '6 kB', measured: `${(gzip_size / 1000).toFixed(2)} kB`, ratio: '' }];
	},
};

const requests: Readonly<Record<Size, number>> = { full: 20_000, quick: 50 };
const BATCHES = 11;

/**
 * Measures the edge's share of a warm `POST /widget/call-requests`: from the gateway's event to its answer, with CORS,
 * the workspace by its key, the Idempotency-Key, validation, the answer's schema and the log line; with a stubbed use case.
 */
export const warmRequest: Section = {
	name: 'warm-request',
	async run(size) {
		const store = memoryStore();
		const { workspace, workspace_key } = samples;
		await store.commit([
			{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'always' } },
			{ op: 'put', record: 'workspace_key', item: workspace_key, guard: { if: 'always' } },
		]);
		const data = { id: samples.call.id, status: 'requested', poll_after_ms: 1500 } as const;
		const handler = handle(forVisitors, requestCall, {
			deps: () => ({ store, clock: { now: Date.now }, log: jsonLog({}, () => undefined) }),
			run: async () => ({ answer: { data } }),
		});
		const [origin = ''] = workspace.origins;
		const event = gatewayEvent({ origin, workspace_key: workspace.workspace_key, phone: '+12025550101' });
		const answer = await handler(event, {});
		if (answer.statusCode !== 202) throw new Error(`the edge answered ${answer.statusCode}`);
		const each: number[] = [];
		// The first batch warms up.
		for (let batch = 0; batch < BATCHES; batch += 1) {
			// Use processor time, which other load on the machine does not affect.
			const before = process.cpuUsage();
			for (let n = 0; n < requests[size]; n += 1) await handler(event, {});
			const { user, system } = process.cpuUsage(before);
			if (batch > 0) each.push((user + system) / requests[size]);
		}
		const measured = `${median(each).toFixed(1)} µs of the processor`;
		return [{ what: 'our own share of a warm request, store stubbed', goal: '30 µs', measured, ratio: '' }];
	},
};

export const writeUnits: Section = {
	name: 'write-units',
	async run() {
		const { without, withOne } = await unitsOfACall();
		const measured = `${withOne.written} / ${without.written}`;
		return [
			{ what: 'write units of a call with 4 events: 1 endpoint / none', goal: '80 / 48', measured, ratio: '' },
			{
				what: 'read units of the same',
				goal: '',
				measured: `${withOne.read} / ${without.read}`,
				ratio: '',
			},
		];
	},
};
