/** Named timers: setting one again moves it. Delays are capped at Node's maximum (24 days). */
export type Timers = {
	set(name: string, at_ms: number, ring: () => void): void;
	stopAll(): void;
};

const LONGEST_MS = 2 ** 31 - 1;

export function wallTimers(): Timers {
	const running = new Map<string, NodeJS.Timeout>();
	return {
		set(name, at_ms, ring) {
			clearTimeout(running.get(name));
			const wait_ms = Math.min(Math.max(0, at_ms - Date.now()), LONGEST_MS);
			const timer = setTimeout(() => {
				running.delete(name);
				ring();
			}, wait_ms);
			running.set(name, timer);
		},
		stopAll() {
			for (const timer of running.values()) clearTimeout(timer);
			running.clear();
		},
	};
}
