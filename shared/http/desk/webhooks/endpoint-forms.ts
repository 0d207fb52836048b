import { type EventKind, eventKinds } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { countText } from '../../../presentation/team-words.ts';
import { fieldOf, ticks } from '../kit/fields.ts';
import { asks, button, type Form, fieldState, fieldValue, formCard, hidden, hiddenFields } from '../kit/form.ts';
import type { View } from '../kit/view.ts';
import { attemptView } from './webhook-words.ts';

// The forms of a webhook endpoint.

/** The most bytes of a response that the service stores. */
const WHOLE_BODY = 4096;

const URL_FIELD = { more: 'type="url" dir="ltr" required maxlength="2048" autocomplete="off" spellcheck="false"' };
const DESCRIPTION = { more: 'maxlength="200"' };
const CHOICE = { is: 'choice' } as const;
const EVENT = { ...CHOICE, options: new Map(eventKinds.map((kind) => [kind, kind])) };
const TICK = { is: 'tick' } as const;

/** The fields of an endpoint, for the form that creates an endpoint and for the form that changes an endpoint. */
export function endpointFields(form: Form): Markup {
	const { events } = form.view.texts;
	const label = (kind: EventKind) =>
		html`<span><code dir="ltr">${kind}</code> <span class="soft">${events[kind]}</span></span>`;
	const boxes = eventKinds.map((kind) => [kind, label(kind)] as const);
	return html`${fieldOf(form, 'url', URL_FIELD)}${fieldOf(form, 'description', DESCRIPTION)}
${ticks(form, 'events', boxes)}${headersField(form)}`;
}

/**
 * Header values are secrets. So the page names the saved headers, but does not show again what was typed, and says that beside
 * the field.
 */
function headersField(form: Form): Markup {
	const { view, saved, entered } = form;
	const { fields, hints, webhooks } = view.texts;
	const { is_wrong, beside } = fieldValue(form, 'headers');
	const isLost = entered !== null && entered['headers'] === undefined;
	const { header_names = '' } = saved;
	const names = html`<code dir="ltr">${header_names}</code>`;
	const named = header_names !== '' && html` ${fillMarkup(webhooks.headers_saved, names)}`;
	const stay = saved['url'] !== undefined && html`${named} ${webhooks.headers_stay}`;
	const state = html`${fieldState(form, 'headers', true)} dir="ltr" spellcheck="false" autocomplete="off"`;
	return html`<label for="headers">${fields.headers}</label><p class="soft" id="headers-hint">${hints.headers}${stay}</p>
<textarea id="headers" name="headers" rows="3"${state}></textarea>${is_wrong && beside}
${isLost && html`<p class="missed">${webhooks.headers_again}</p>`}`;
}

/** The forms of one endpoint, with the result of the form that was sent last. */
export function endpointForms(endpoint: WebhookEndpoint, view: View): Markup {
	const { webhooks } = view.texts;
	const { id, url, description, events, updated_at, header_names } = endpoint;
	const about = { id };
	const kinds = Object.fromEntries(events.map((kind) => [kind, 'yes']));
	const saved = { url, description: description ?? '', header_names: header_names.join(', '), ...kinds };
	const editable = { about: { id, as_of: updated_at }, saved };
	const edit = (form: Form): Markup =>
		html`${endpointFields(form)}${header_names.length > 0 && fieldOf(form, 'no_headers', TICK)}`;
	const hinted = (hint: string, content: (form: Form) => Markup) => (form: Form) =>
		html`<p class="soft">${hint}</p>${content(form)}`;
	const test = hinted(webhooks.test_hint, (form) => fieldOf(form, 'event', EVENT));
	const rotate = hinted(webhooks.rotate_hint, (form) => fieldOf(form, 'overlap', CHOICE));
	const recover = hinted(
		webhooks.recover_hint,
		(form) =>
			html`${hiddenFields({ dry_run: 'yes' })}${fieldOf(form, 'since', CHOICE)}${fieldOf(form, 'missing', TICK)}`,
	);
	const part = (place: string, title: string, form: Markup): Markup =>
		html`<section aria-labelledby="${place}"><h2 id="${place}">${title}</h2>${form}</section>`;
	return html`${result(endpoint, view)}
<div class="halves calm">
${part('test', webhooks.test, formCard(view, 'test-endpoint', test, webhooks.test, { about, saved: {} }))}
${part('recover', webhooks.recover, formCard(view, 'recover-deliveries', recover, webhooks.count, { about, saved: { since: '24' } }))}
</div>
${part('change', webhooks.edit, formCard(view, 'change-endpoint', edit, view.texts.save, editable))}
<div class="halves calm">
${part('rotate', webhooks.rotate, formCard(view, 'rotate-secret', rotate, webhooks.rotate, { about, saved: { overlap: '86400' } }))}
${part(
	'end',
	webhooks.end,
	html`<div class="card">${turn(endpoint, view)}
${asks(view, { action: 'delete-endpoint', id }, webhooks.delete, webhooks.delete_hint, webhooks.delete_now)}</div>`,
)}
</div>`;
}

function turn({ id, status }: WebhookEndpoint, view: View): Markup {
	const { webhooks } = view.texts;
	const [action, label, hint] =
		status === 'enabled'
			? (['disable-endpoint', webhooks.disable, webhooks.disable_hint] as const)
			: (['enable-endpoint', webhooks.enable, webhooks.enable_hint] as const);
	return html`<p class="soft">${hint}</p>${button(view, { action, id }, label)}`;
}

function result({ id }: WebhookEndpoint, view: View): Markup | false {
	const { texts, language, result } = view;
	if (result === null) return false;
	const { webhooks, go_on } = texts;
	if ('attempt' in result) {
		const { attempt } = result;
		const [look, says] = attempt.error === null ? ['note', webhooks.accepted] : ['note bad', webhooks.not_accepted];
		return html`<div class="${look}" role="status"><p><strong>${says}</strong></p>
${attemptView(attempt, view, WHOLE_BODY)}</div>`;
	}
	const { recovery, form } = result;
	const { dry_run, next, count } = recovery;
	const again = (label: string, from: string) => {
		const { since = '', missing = '' } = form;
		const fields = hidden(view, { action: 'recover-deliveries', id, since, missing, from });
		return html`<form method="post">${fields}<button>${label}</button></form>`;
	};
	const more = dry_run ? webhooks.counted_part : webhooks.queued_part;
	const on = dry_run ? count > 0 && again(webhooks.send_again, '') : next !== null && again(go_on, next);
	const counted = countText(dry_run ? webhooks.counted : webhooks.queued, count, language);
	return html`<div class="note" role="status"><p>${counted}${next !== null && html` ${more}`}</p>${on}</div>`;
}
