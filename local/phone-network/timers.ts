/**
 * Timers with names. If a timer is set again, the timer gets the new time. A delay is never longer than Node's maximum (24
 * days).
 */
export type Timers = {
	set(name: string, atMs: number, ring: () => void): void;
	stopAll(): void;
};

const LONGEST_MS = 2 ** 31 - 1;

export function wallTimers(): Timers {
	const running = new Map<string, NodeJS.Timeout>();
	return {
		set(name, atMs, ring) {
			clearTimeout(running.get(name));
			const waitMs = Math.min(Math.max(0, atMs - Date.now()), LONGEST_MS);
			const timer = setTimeout(() => {
				running.delete(name);
				ring();
			}, waitMs);
			running.set(name, timer);
		},
		stopAll() {
			for (const timer of running.values()) clearTimeout(timer);
			running.clear();
		},
	};
}
