import type { PhaseTimings } from '../../domain/webhooks/delivery.ts';
import type { Stage } from './failure.ts';

type Phase = 'connect' | 'tls' | 'first_byte';
export type Phases = {
	mark(phase: Phase): void;
	stage(): Stage;
	timings(): PhaseTimings;
};

/** Milliseconds of each phase; null for a phase that was not reached, or that a kept connection did not need. */
export function phases(dns_ms: number | null): Phases {
	const started = performance.now();
	const at: { [P in Phase]?: number } = {};
	const between = (from: number | undefined, to: number | undefined): number | null =>
		from === undefined || to === undefined ? null : Math.round(to - from);
	return {
		mark(phase) {
			at[phase] ??= performance.now();
		},
		stage() {
			if (at.tls !== undefined) return 'ready';
			return at.connect === undefined ? 'connecting' : 'handshake';
		},
		timings: () => ({
			dns_ms,
			connect_ms: between(started, at.connect),
			tls_ms: between(at.connect, at.tls),
			first_byte_ms: between(at.tls ?? started, at.first_byte),
			total_ms: Math.round(performance.now() - started) + (dns_ms ?? 0),
		}),
	};
}
