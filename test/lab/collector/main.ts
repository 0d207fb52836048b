import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../local/aws/dynamodb.ts';
import { operatorAt } from '../../support/operator.ts';
import { readOtlp } from '../../support/otlp-reader.ts';
import { formerStore } from '../../upgrade/former-store.ts';
import { releases } from '../../upgrade/samples.ts';
import { buildCollector, type PrintedSpan, startCollector } from './started-collector.ts';

// npm run lab -- collector: takes every call and lead that a release stored, and sends the traces to an OpenTelemetry
// Collector, as an operator can. It compares the spans that the collector accepted with those in a file. The collector is built
// here from its Go modules.

const NOW = Date.parse('2026-11-29T00:00:00.000Z');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const asLine = ({ trace_id, parent_span_id, span_id, name }: PrintedSpan) =>
	[trace_id, parent_span_id, span_id, name].join(' ');

async function traceAll(release: string, target: string) {
	const { store, calls, leads } = await formerStore(release);
	const ops = operatorAt({ store, clock: { now: () => NOW } });
	const commands = [
		...calls.map((id) => ['call', 'trace', '--call', id, '--otlp', target]),
		...leads.map((id) => ['lead', 'trace', '--lead', id, '--otlp', target]),
	];
	const results: Awaited<ReturnType<typeof ops>>[] = [];
	const lines: string[] = [];
	for (const command of commands) {
		results.push(await ops(...command));
		if (!target.startsWith('http')) lines.push(readFileSync(target, 'utf8'));
	}
	return { results, lines: lines.join('') };
}

/**
 * Sends the traces of a release to a collector. Returns the faults: commands that failed, broken trees of spans, and differences
 * from the file of expected spans.
 */
async function compare(release: string, folder: string): Promise<readonly string[]> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const down = await traceAll(release, url);
	const collector = await startCollector(folder, port);
	const up = await traceAll(release, url);
	const taken = await collector.stop();
	const written = readOtlp((await traceAll(release, join(folder, 'traces.jsonl'))).lines) ?? [];
	const roots = taken.filter(({ parent_span_id }) => parent_span_id === '');
	const ids = new Set(taken.map(({ trace_id, span_id }) => `${trace_id} ${span_id}`));
	const orphans = taken.filter(
		({ trace_id, parent_span_id }) => parent_span_id !== '' && !ids.has(`${trace_id} ${parent_span_id}`),
	);
	say(`${release}: ${up.results.length} calls and leads, ${roots.length} trees, ${taken.length} spans`);
	return [
		...down.results
			.filter(({ code, err }) => code !== 1 || !err.includes('did not answer'))
			.map(() => 'a collector that is down was not reported'),
		...up.results.filter(({ code }) => code !== 0).map(({ err }) => err),
		...(roots.length === up.results.length ? [] : ['not one tree for each call and lead']),
		...orphans.map((span) => `no parent: ${asLine(span)}`),
		...(JSON.stringify(taken.map(asLine).sort()) === JSON.stringify(written.map(asLine).sort())
			? []
			: ['the collector has other spans than the file']),
	];
}

const folder = mkdtempSync(join(tmpdir(), 'collector-'));
try {
	if (!buildCollector(folder)) say('skipped: Go or the modules of the collector are missing');
	else
		for (const release of releases())
			for (const fault of await compare(release, folder)) {
				say(fault);
				process.exitCode = 1;
			}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
