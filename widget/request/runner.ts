import { backoff, FRESH_MS, jitter, REQUEST_TIMEOUT_MS } from './pace.ts';

/**
 * One request. Answers the pause before the next in milliseconds, or null at the end. Throws when another try is worth it,
 * with the milliseconds that the server asked to wait as the error's `cause`.
 */
export type Run = (signal: AbortSignal) => Promise<number | null>;
/** Told of every failed try in a row; answers whether to go on. */
export type Troubled = (failures: number) => boolean;

/**
 * Works on one job (a chain of requests) and one request at a time, each with an AbortController of its own. A hidden page
 * starts no request; a page that is left aborts its own, and takes the job up again when it comes back.
 */
export function createRunner() {
	let job: Run | null = null;
	let troubled: Troubled;
	let request: AbortController | null = null;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;
	let ended_ms = 0;

	function pause(): void {
		clearTimeout(timer);
		request?.abort();
		request = null;
	}

	/** The pause until the next try of a job that met `trouble`; null when it gives up. */
	function afterTrouble(trouble: unknown): number | null {
		const asked = (trouble instanceof Error && Number(trouble.cause)) || 0;
		return troubled(++failures) ? Math.max(backoff(failures), asked) : null;
	}

	function resumeIn(ms: number): void {
		timer = setTimeout(() => void resume(), jitter(ms, Math.random()));
	}

	async function resume(): Promise<void> {
		pause();
		if (!job || document.hidden) return;
		const mine = new AbortController();
		request = mine;
		timer = setTimeout(() => mine.abort(), REQUEST_TIMEOUT_MS);
		let wait: number | null = null;
		try {
			wait = await job(mine.signal);
			failures = 0;
		} catch (trouble) {
			if (request === mine) wait = afterTrouble(trouble);
		}
		// Paused, or replaced by the next job, while it was under way.
		if (request !== mine) return;
		pause();
		ended_ms = performance.now();
		if (wait === null) job = null;
		else resumeIn(wait);
	}

	return {
		/** Takes up `next` after `delayMs`, in place of what was running. */
		start(next: Run, onTrouble: Troubled, delayMs = 0): void {
			pause();
			job = next;
			troubled = onTrouble;
			failures = 0;
			resumeIn(delayMs);
		},
		/** Follows the page's life until `signal` aborts. */
		watch(signal: AbortSignal): void {
			const wake = () => request || void resume();
			for (const type of ['visibilitychange', 'pageshow', 'online']) addEventListener(type, wake, { signal });
			// What waits because of trouble keeps its pause.
			const touch = (fresh_ms: number) => () => failures || performance.now() - ended_ms < fresh_ms || wake();
			addEventListener('pointermove', touch(FRESH_MS.moving), { signal });
			for (const type of ['focus', 'keydown', 'pointerdown'])
				addEventListener(type, touch(FRESH_MS.acting), { signal });
			addEventListener('pagehide', pause, { signal });
			signal.addEventListener('abort', pause);
			wake();
		},
	};
}
