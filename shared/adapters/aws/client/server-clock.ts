import type { HttpResponse } from '@smithy/types';

/** AWS accepts signatures that are up to 5 minutes off; the SDK corrects its clock from 4 minutes on. */
const LARGEST_SKEW_MS = 240_000;

/** AWS's time: the machine's clock, corrected by the `Date` header of AWS's responses. */
export function serverClock() {
	let ahead_ms = 0;
	return {
		now: () => new Date(Date.now() + ahead_ms),
		/** Compares the clocks. True if ours was wrong, so that the caller can sign again. */
		corrected({ headers }: HttpResponse): boolean {
			const skew_ms = Date.parse(headers['date'] ?? '') - Date.now();
			if (!(Math.abs(skew_ms - ahead_ms) >= LARGEST_SKEW_MS)) return false;
			ahead_ms = skew_ms;
			return true;
		},
	};
}
