/** A command's run as the operator sees it: progress on the side, and Ctrl-C between two steps. */
export type Session = {
	/** One line; the result goes elsewhere. */
	progress(line: string): void;
	/** Whether the operator wants it to end. */
	stopped(): boolean;
	/** Waits, but not beyond Ctrl-C. */
	pause(ms: number): Promise<void>;
};

/** The terminal's session. A command that asks `stopped` ends after its step at the first Ctrl-C; the second one kills. */
export function terminalSession(): Session {
	let stopping: AbortSignal | null = null;
	const signal = (): AbortSignal => {
		stopping ??= interruption();
		return stopping;
	};
	return {
		progress: (line) => console.error(line),
		stopped: () => signal().aborted,
		pause: (ms) => pauseUnless(signal(), ms),
	};
}

function interruption(): AbortSignal {
	const stop = new AbortController();
	process.once('SIGINT', () => {
		console.error('Stopping after this step; what is left stays where it is.');
		stop.abort();
	});
	return stop.signal;
}

async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
	if (signal.aborted) return;
	const { promise, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, ms);
	signal.addEventListener('abort', () => resolve(), { once: true });
	await promise;
	clearTimeout(timer);
}

/** Lets so many steps a second begin. */
export function pacer(per_second: number, session: Pick<Session, 'pause'>, now: () => number): () => Promise<void> {
	let next_ms = 0;
	return async () => {
		const wait_ms = next_ms - now();
		if (wait_ms > 0) await session.pause(wait_ms);
		next_ms = Math.max(now(), next_ms) + 1000 / per_second;
	};
}

/** At most one line a second, whatever happens in between. */
export function ticker(session: Pick<Session, 'progress'>, now: () => number): (line: () => string) => void {
	let last_ms = now();
	return (line) => {
		if (now() - last_ms < 1000) return;
		last_ms = now();
		session.progress(line());
	};
}
