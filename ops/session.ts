/** The progress of a command. `share` is from 0 to 1. `share` is absent if the total is not known. */
export type Progress = { readonly text: string; readonly share?: number };

/**
 * How a command talks to the operator. The command shows progress and warnings. After Ctrl-C, the command stops between two
 * steps.
 */
export type Session = {
	/** Shows the progress, but only a few times a second. */
	progress(now: () => Progress): void;
	/** Shows a line that stays on the screen. */
	note(line: string): void;
	stopped(): boolean;
	/** Waits for the given time, or until the operator presses Ctrl-C. */
	pause(ms: number): Promise<void>;
};

export type Screen = { readonly isTTY?: boolean; write(text: string): unknown };

/** On a terminal, a bar is redrawn in place ten times a second. Otherwise, one line a second is written. */
const INTERVAL_MS = { bar: 100, lines: 1000 } as const;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001B[K';

/** Shows progress and notes on `screen`. `clear` removes the bar. */
export function progressOn(screen: Screen, nowMs: () => number) {
	const terminal = screen.isTTY === true;
	const intervalMs = terminal ? INTERVAL_MS.bar : INTERVAL_MS.lines;
	let shownMs = nowMs();
	let isDrawn = false;
	const clear = (): void => {
		if (isDrawn) screen.write(CLEAR_LINE);
		isDrawn = false;
	};
	return {
		progress: (now: () => Progress): void => {
			if (nowMs() - shownMs < intervalMs) return;
			shownMs = nowMs();
			screen.write(terminal ? `${CLEAR_LINE}${bar(now())}` : `${now().text}\n`);
			isDrawn = terminal;
		},
		note: (line: string): void => {
			clear();
			screen.write(`${line}\n`);
		},
		clear,
	};
}

function bar({ text, share }: Progress): string {
	if (share === undefined) return text;
	const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
	return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${text}`;
}

/**
 * The session of a terminal. After the first Ctrl-C, `stopped` returns true, so a command that checks `stopped` ends after its
 * current step. The second Ctrl-C kills the command.
 */
export function terminalSession(): Session & { readonly clear: () => void } {
	const progress = progressOn(process.stderr, () => performance.now());
	let stopping: AbortSignal | null = null;
	const signal = (): AbortSignal => {
		stopping ??= interruption(progress.note);
		return stopping;
	};
	return { ...progress, stopped: () => signal().aborted, pause: (ms) => pauseUnless(signal(), ms) };
}

/**
 * One press of Ctrl-C can send two signals, because npm passes on to the program what the terminal has already sent to both. A
 * signal within a second of the first one is the same press.
 */
const SAME_PRESS_MS = 1000;
/** What a shell reports of a program that SIGINT has ended. */
const EXIT_BY_SIGINT = 130;

function interruption(note: (line: string) => void): AbortSignal {
	const stop = new AbortController();
	let pressedMs: number | null = null;
	process.on('SIGINT', () => {
		if (pressedMs === null) {
			pressedMs = performance.now();
			note('Stopping after this step; press Ctrl-C again to end at once.');
			stop.abort();
		} else if (performance.now() - pressedMs > SAME_PRESS_MS) process.exit(EXIT_BY_SIGINT);
	});
	return stop.signal;
}

async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
	if (signal.aborted) return;
	// The oldest Node.js that the package supports does not have Promise.withResolvers.
	await new Promise<void>((resolve) => {
		const timer = setTimeout(resolve, ms);
		const end = (): void => {
			clearTimeout(timer);
			resolve();
		};
		signal.addEventListener('abort', end, { once: true });
	});
}

/** Limits a loop to `perSecond` steps a second. */
export function evenPace(perSecond: number, session: Pick<Session, 'pause'>, now: () => number): () => Promise<void> {
	let nextMs = 0;
	return async () => {
		const waitMs = nextMs - now();
		if (waitMs > 0) await session.pause(waitMs);
		nextMs = Math.max(now(), nextMs) + 1000 / perSecond;
	};
}
