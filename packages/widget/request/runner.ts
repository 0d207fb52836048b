import { tellFailure } from '../tell.ts';
import { backoff, FRESH_MS, jitter, timeout } from './pace.ts';

/**
 * One request. Resolves to the pause before the next in milliseconds, or null at the end. Throws if a retry makes sense,
 * with the server's requested wait in milliseconds as the error's `cause`.
 */
export type Run = (signal: AbortSignal) => Promise<number | null>;
/** Called with the number of consecutive failed tries and the last one's error; returns whether to continue. */
export type RetryRule = (failures: number, trouble: unknown) => boolean;

/**
 * Runs one job (a chain of requests) and one request at a time, each with its own AbortController. A hidden page starts no
 * request. A page that the visitor leaves aborts its request, and continues the job when the visitor returns.
 */
export function createRunner() {
	let job: Run | null = null;
	let retries: RetryRule;
	let request: AbortController | null = null;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;
	let endedMs = 0;

	function pause(): void {
		clearTimeout(timer);
		request?.abort();
		request = null;
	}

	/** The pause before the next try after a failure; null if the job gives up. */
	function afterTrouble(trouble: unknown): number | null {
		const serverMs = (trouble instanceof Error && Number(trouble.cause)) || 0;
		return retries(++failures, trouble) ? Math.max(backoff(failures), serverMs) : null;
	}

	function resumeIn(ms: number): void {
		timer = setTimeout(goOn, jitter(ms, Math.random()));
	}

	function goOn(): void {
		void resume().catch(tellFailure);
	}

	async function resume(): Promise<void> {
		pause();
		if (!job || document.hidden) return;
		const mine = new AbortController();
		request = mine;
		timer = setTimeout(() => mine.abort(), timeout(failures));
		let wait: number | null = null;
		try {
			wait = await job(mine.signal);
			failures = 0;
		} catch (trouble) {
			if (request === mine) wait = afterTrouble(trouble);
		}
		// The job was paused, or replaced by the next one, during the request.
		if (request !== mine) return;
		pause();
		endedMs = performance.now();
		if (wait === null) job = null;
		else resumeIn(wait);
	}

	return {
		/** Starts `next` after `delayMs`, and replaces the running job. */
		start(next: Run, onTrouble: RetryRule, delayMs = 0): void {
			pause();
			job = next;
			retries = onTrouble;
			failures = 0;
			resumeIn(delayMs);
		},
		/** Follows the page's lifecycle until `signal` aborts. */
		watch(signal: AbortSignal): void {
			const wake = () => request || goOn();
			for (const type of ['visibilitychange', 'pageshow', 'online']) addEventListener(type, wake, { signal });
			// A job that waits after a failure keeps its pause.
			const touch = (freshMs: number) => () => failures || performance.now() - endedMs < freshMs || wake();
			addEventListener('pointermove', touch(FRESH_MS.moving), { signal });
			for (const type of ['focus', 'keydown', 'pointerdown'])
				addEventListener(type, touch(FRESH_MS.acting), { signal });
			addEventListener('pagehide', pause, { signal });
			signal.addEventListener('abort', pause);
			wake();
		},
	};
}
export type Runner = ReturnType<typeof createRunner>;
