import type { Attempt } from '../../../domain/webhooks/delivery.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { exactTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';

// An attempt for a developer. Hint, error code and phases are in the API's words.

/** `200`, or `503 http_status`, or `timeout`. */
export const resultOf = ({ response_status, error }: Attempt): string =>
	[response_status, error].filter((part) => part !== null).join(' ');

/** `31 ms (DNS 2, TCP 5, TLS 9, TTFB 14)`, without the phases that were not reached. */
function timesOf({ timings }: Attempt): string {
	const { dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms } = timings;
	const phases = Object.entries({ DNS: dns_ms, TCP: connect_ms, TLS: tls_ms, TTFB: first_byte_ms });
	const parts = phases.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${Math.round(ms)}`]));
	return `${Math.round(total_ms)} ms${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

/** The time, the status, the length of each phase, the hint, and the response's body up to a given length. */
export function attemptView(attempt: Attempt, view: View, mostCharacters: number): Markup {
	const { started_at, error, hint, response_body } = attempt;
	const body = response_body ?? '';
	const isCut = body.length > mostCharacters;
	return html`<p><time datetime="${started_at}">${exactTime(started_at, view)}</time> ·
<bdi dir="ltr"${error !== null && html` class="missed"`}>${resultOf(attempt)}</bdi> · <bdi dir="ltr">${timesOf(attempt)}</bdi></p>
${hint !== null && html`<p lang="en" dir="ltr">${hint}</p>`}
${body !== '' && html`<pre dir="ltr" tabindex="0">${body.slice(0, mostCharacters)}${isCut && '…'}</pre>`}`;
}
