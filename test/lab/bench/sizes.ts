import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import type { Manifest } from '../../../infra/bundle/widget.ts';
import { systemClock } from '../../../shared/adapters/clock.ts';
import { jsonLog } from '../../../shared/adapters/log.ts';
import { requestCall } from '../../../shared/contract/widget/widget.ts';
import { forVisitors, handle } from '../../../shared/http/edge/handle.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { deployedBundles } from '../../support/stack/builds.ts';
import { measured } from './children/report.ts';
import { gatewayEvent } from './gateway-event.ts';
import { median, row, type Section, type Size } from './row.ts';

/** The sizes of the files that a function and a page load. */
export const bundles: Section = {
	name: 'bundles',
	async run() {
		const directory = await deployedBundles();
		const { outputs }: Metafile = JSON.parse(readFileSync(`${directory}.meta.json`, 'utf8'));
		const api = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith('functions/api/'));
		const [file, { bytes }] = api.reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a));
		const manifest = readFileSync(join(directory, 'publish-widget/widget/manifest.json'), 'utf8');
		const { gzip_size }: Manifest = JSON.parse(manifest);
		const largest = `${(bytes / 1000).toFixed(0)} KB (${file.split('/').at(-2)})`;
		return [
			row('largest API bundle, minified', '290 KB', largest),
			row('widget of every page, gzip', '6 kB', `${(gzip_size / 1000).toFixed(2)} kB`),
		];
	},
};

const requests: Readonly<Record<Size, number>> = { full: 20_000, quick: 50 };
const BATCHES = 11;

/**
 * The processor time that the HTTP layer takes for a warm `POST /widget/call-requests`: from the gateway's event to the
 * response, with a stub for the use case. This includes CORS, the look-up of the workspace, the Idempotency-Key, validation,
 * the response's schema and the log line. Other load on the machine hardly affects processor time.
 */
export const warmRequest: Section = {
	name: 'warm-request',
	async run(size) {
		const store = memoryStore();
		const { workspace, workspace_key } = samples;
		const put = { op: 'put', guard: { if: 'always' } } as const;
		await store.commit([
			{ ...put, record: 'workspace', item: workspace },
			{ ...put, record: 'workspace_key', item: workspace_key },
		]);
		const data = { id: samples.call.id, status: 'requested', poll_after_ms: 1500 } as const;
		const handler = handle(forVisitors, requestCall, {
			deps: () => ({ store, clock: systemClock, log: jsonLog({}, () => undefined) }),
			run: async () => ({ body: { data } }),
		});
		const [allowed_origin = ''] = workspace.origins;
		const event = gatewayEvent({ ...workspace, allowed_origin }, '+12025550101');
		const { statusCode } = await handler(event, {});
		if (statusCode !== 202) throw new Error(`the edge answered ${statusCode}`);
		const each: number[] = [];
		for (let batch = 0; batch < BATCHES; batch += 1) {
			const { cpu_us } = await measured(async () => {
				for (let n = 0; n < requests[size]; n += 1) await handler(event, {});
			});
			each.push(cpu_us / requests[size]);
		}
		const us = `${median(each).toFixed(1)} µs of the processor`;
		return [row('our own share of a warm request, store stubbed', '30 µs', us)];
	},
};
