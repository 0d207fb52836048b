import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A span as the OpenTelemetry Collector's own code parsed it. */
export type ReadSpan = {
	readonly trace_id: string;
	readonly span_id: string;
	readonly parent_span_id: string;
	readonly name: string;
	readonly kind: string;
	readonly status: string;
	readonly start_ms: number;
	readonly end_ms: number;
	readonly attributes: Readonly<Record<string, string | number | boolean>>;
	readonly links: number;
};

/**
 * Parses requests of OTLP/JSON, one per line. Null if Go or the needed Go packages are missing. Throws if the text is not OTLP.
 */
export function readOtlp(lines: string): readonly ReadSpan[] | null {
	const module = mkdtempSync(join(tmpdir(), 'otlp-reader-'));
	const inModule = { cwd: module, encoding: 'utf8', maxBuffer: 256_000_000 } as const;
	try {
		cpSync(join(import.meta.dirname, 'otlp-reader'), module, { recursive: true });
		if (spawnSync('go', ['mod', 'download'], inModule).status !== 0) return null;
		const { status, stdout, stderr } = spawnSync('go', ['run', '.'], { ...inModule, input: lines });
		if (status !== 0) throw new Error(stderr);
		return JSON.parse(stdout);
	} finally {
		rmSync(module, { recursive: true, force: true });
	}
}
