import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** A span as the collector printed it. */
export type PrintedSpan = Readonly<Record<'trace_id' | 'span_id' | 'parent_span_id' | 'name', string>>;

/** Builds the collector in a folder. False if Go or its packages are missing. */
export function buildCollector(folder: string): boolean {
	cpSync(join(import.meta.dirname, 'collector'), folder, { recursive: true });
	const go = (...args: readonly string[]) => spawnSync('go', args, { cwd: folder, stdio: 'inherit' }).status === 0;
	return go('mod', 'download') && go('build', '-o', 'collector', '.');
}

const settingsAt = (port: number) => ({
	receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
	exporters: { debug: { verbosity: 'detailed', use_internal_logger: false } },
	service: {
		telemetry: { metrics: { level: 'none' } },
		pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } },
	},
});

/** Starts the collector, and waits until it accepts requests. `stop` returns the spans that it printed. */
export async function startCollector(folder: string, port: number) {
	const config = `yaml:${JSON.stringify(settingsAt(port))}`;
	const collector = spawn(join(folder, 'collector'), ['--config', config], { stdio: ['ignore', 'pipe', 'pipe'] });
	const exited = once(collector, 'exit');
	let printed = '';
	collector.stdout.on('data', (chunk) => (printed += chunk));
	await new Promise<void>((resolve, reject) => {
		let log = '';
		collector.stderr.on('data', (chunk) => {
			log += chunk;
			if (log.includes('Everything is ready')) resolve();
		});
		collector.on('exit', () => reject(new Error(`the collector did not start: ${log}`)));
	});
	return {
		async stop(): Promise<readonly PrintedSpan[]> {
			collector.kill('SIGTERM');
			await exited;
			return spansIn(printed);
		},
	};
}

function spansIn(printed: string): readonly PrintedSpan[] {
	return printed
		.split(/^Span #\d+$/m)
		.slice(1)
		.map((span) => {
			const fieldOf = (label: string) => new RegExp(`^ +${label} *: ?(.*)$`, 'm').exec(span)?.[1]?.trim() ?? '';
			return {
				trace_id: fieldOf('Trace ID'),
				span_id: fieldOf('ID'),
				parent_span_id: fieldOf('Parent ID'),
				name: fieldOf('Name'),
			};
		});
}
