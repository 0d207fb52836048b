import { setTimeout as wait } from 'node:timers/promises';

const AGAIN_MS = 500;

/** Runs at most this many tasks at the same time. The others wait for their turn. */
export function atMost(most: number) {
	const waiting: (() => void)[] = [];
	let running = 0;
	return async <T>(work: () => Promise<T>): Promise<T> => {
		if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
		running += 1;
		try {
			return await work();
		} finally {
			running -= 1;
			waiting.shift()?.();
		}
	};
}

/**
 * Repeats a request if the service was too busy to accept it, or if its outcome is unknown. So the service may execute the
 * request twice. `onBusy` is called before each repetition.
 */
export async function untilAccepted<R extends { readonly status: number }>(
	send: () => Promise<R>,
	onBusy: () => void,
): Promise<R> {
	for (;;) {
		const answer = await send();
		if (answer.status !== 503) return answer;
		onBusy();
		await wait(AGAIN_MS);
	}
}

/** Repeats a request that was sent too often (429), each time after as long as the response says. */
export async function untilAllowed<R extends { readonly status: number; readonly headers: Headers }>(
	send: () => Promise<R>,
): Promise<R> {
	for (;;) {
		const answer = await send();
		if (answer.status !== 429) return answer;
		await wait(Number(answer.headers.get('retry-after') ?? 1) * 1000);
	}
}
