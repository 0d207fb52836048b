import { html } from '../domain/kernel/markup.ts';
import { readableTime, whoAsked } from '../domain/leads/team-message.ts';
import { type ConfirmRefusal, phoneChoices } from '../use-cases/leads/confirm-callback.ts';
import type { OpenLink } from '../use-cases/leads/find-callback-link.ts';
import type { EdgeProblem } from './exchange.ts';
import { pageResponse } from './page.ts';
import type { HttpResponse } from './response.ts';

/** The page that asks whether to call: who, from where, when, and on which phone. */
export function askPage({ lead, link, workspace }: OpenLink): HttpResponse {
	const time_zone = workspace.business_hours?.time_zone ?? null;
	const phones = phoneChoices(workspace).map((choice, position) => {
		const checked = { markup: position === 0 ? ' checked' : '' };
		const masked = workspace.team[position]?.phone_masked ?? '';
		return html`<label><input type="radio" name="phone" value="${choice}"${checked} required> Phone ${String(position + 1)}: ${masked}</label>`;
	});
	const main = html`<dl>
<dt>Number</dt><dd>${lead.visitor_phone_masked}</dd>
<dt>Page</dt><dd><a href="${lead.source_url}" rel="noreferrer noopener nofollow">${lead.source_url}</a></dd>
<dt>When</dt><dd><time datetime="${lead.created_at}">${readableTime(lead.created_at, time_zone)}</time></dd>
</dl>
<form method="post">
<fieldset><legend>${phones.length === 1 ? 'Your phone' : 'Which phone is yours?'}</legend>
${phones}
</fieldset>
<button>Ring me and connect</button>
<p class="soft">We ring your phone. When you press 1, we ring the visitor and connect you. The link works once, until ${readableTime(link.expires_at, time_zone)}.</p>
</form>`;
	return pageResponse(200, { title: `${whoAsked(lead)} asked to be called back`, main });
}

/** The page after the button. */
export function ringingPage(phone_masked: string): HttpResponse {
	const main = html`<p>We are ringing ${phone_masked}. Answer and press 1; then we ring the visitor and connect you.</p>
<p class="soft">The link has been used up. You may close this page.</p>`;
	return pageResponse(202, { title: 'Your phone is ringing', main });
}

/** Why nobody is called, in plain words. */
export function confirmProblem(refusal: ConfirmRefusal): EdgeProblem {
	switch (refusal.refused) {
		case 'link_not_valid':
			return {
				code: 'link_not_valid',
				detail: 'Open it exactly as it stands in your message: it may have been cut short.',
			};
		case 'link_used': {
			const at = readableTime(refusal.at, refusal.time_zone);
			return {
				code: 'link_used',
				detail: `It was used on ${at}. If that was you just now, your phone is ringing: answer it and press 1.`,
			};
		}
		case 'link_expired': {
			const at = readableTime(refusal.at, refusal.time_zone);
			return {
				code: 'link_expired',
				detail: `It worked until ${at}. The request is still in your list of callback leads.`,
			};
		}
		case 'lead_closed':
			return { code: 'lead_closed', detail: `It is marked as ${refusal.lead_status}; mark it as pending to call.` };
		case 'member_unknown':
			return { code: 'validation_failed', detail: 'This phone is not in your team any more. Open the link again.' };
		case 'suppressed':
			return { code: 'phone_not_callable', detail: 'The visitor has asked not to be called.' };
		case 'in_a_call':
			return later('rate_limited', 'The visitor is being called right now.', refusal.retry_after_seconds);
		case 'called_enough':
			return later('rate_limited', 'The visitor was called often enough for today.', refusal.retry_after_seconds);
		case 'calls_unavailable':
			return later(
				'calls_unavailable',
				'No calls are placed at the moment. The link stays valid.',
				refusal.retry_after_seconds,
			);
	}
}

function later(code: 'rate_limited' | 'calls_unavailable', detail: string, seconds: number): EdgeProblem {
	return { code, detail, headers: { 'retry-after': String(seconds) } };
}
