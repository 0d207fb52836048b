/** The longest Retry-After that we honour. */
const MAX_RETRY_AFTER_SECONDS = 12 * 3600;

/** The three forms of an HTTP date (RFC 9110 section 5.6.7); all of them are UTC. */
const HTTP_DATES = [
	/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
	/^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
	/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
] as const;

function httpDate(text: string): number {
	if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
	return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/** The seconds of a Retry-After header (RFC 9110 section 10.2.3), which has a number or a date; null if it is neither. */
export function retryAfterSeconds(header: string | undefined, now_ms: number): number | null {
	const text = header?.trim() ?? '';
	const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((httpDate(text) - now_ms) / 1000);
	return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS);
}
