import { tellFailure } from '../tell.ts';
import { backoff, FRESH_MS, jitter, timeout } from './pace.ts';

/**
 * One request. Resolves to how long to wait before the next one, in milliseconds, or to null if there is no next one.
 * Throws if a retry makes sense. The error's `cause` is then the wait that the server has asked for, in milliseconds.
 */
export type Run = (signal: AbortSignal) => Promise<number | null>;
/** Called with how many tries in a row have failed, and with the error of the last try. Returns whether to continue. */
export type RetryRule = (failures: number, trouble: unknown) => boolean;

/**
 * Runs one job (a chain of requests) at a time, and one request at a time. Each request has its own AbortController. A hidden
 * page starts no request. If the visitor leaves the page, the request that is under way is aborted. If the visitor returns to
 * the page, the job continues.
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

	/** How long to wait before the next try after a failure. Null if the job gives up. */
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
		// The job was paused or replaced while this request was under way, so the result of this request no longer counts.
		if (request !== mine) return;
		pause();
		endedMs = performance.now();
		if (wait === null) job = null;
		else resumeIn(wait);
	}

	return {
		/** Starts `next` after `delayMs`. `next` replaces the job that is running. */
		start(next: Run, onTrouble: RetryRule, delayMs = 0): void {
			pause();
			job = next;
			retries = onTrouble;
			failures = 0;
			resumeIn(delayMs);
		},
		/** Follows the events of the page until `signal` aborts. */
		watch(signal: AbortSignal): void {
			const wake = () => request || goOn();
			for (const type of ['visibilitychange', 'pageshow', 'online']) addEventListener(type, wake, { signal });
			// A job that waits after a failure is not continued early.
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
