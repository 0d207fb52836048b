import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { eventKinds } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { endpointTextsIn } from '../../../presentation/endpoint-texts.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { type LastAttempts, lastAttempts } from '../../../use-cases/webhooks/last-attempts.ts';
import { connectPart } from '../keys/connect-part.ts';
import { madeBy } from '../keys/made-by.ts';
import { secretNote } from '../keys/secret-note.ts';
import { formCard } from '../kit/form.ts';
import { itemList } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { DeveloperDeps, PageDeps, View } from '../kit/view.ts';
import { resultOf } from './attempt-view.ts';
import { endpointFields, endpointForms } from './endpoint-forms.ts';

/** All endpoints of the workspace, at most 20; or the one that the query names, with its forms. */
export async function webhooksPage(view: View, deps: DeveloperDeps): Promise<Markup> {
	const { texts, at, query } = view;
	const key = { workspace_id: at.workspace.id, id: query['id'] ?? '' };
	const endpoint = ID_PATTERN.test(key.id) ? await deps.store.get('webhook_endpoint', key) : null;
	if (endpoint !== null) return endpointPage(endpoint, view, deps);
	const { webhooks } = texts;
	const endpoints = (await deps.store.endpointsOf(at.workspace.id)).toReversed();
	const link = ({ id, url }: WebhookEndpoint): Markup =>
		html`<a href="webhooks?id=${id}" dir="ltr">${withoutQuery(url)}</a>`;
	const secret = await secretNote(view, deps, async (id) => {
		const own = endpoints.find((each) => each.id === id);
		return own === undefined ? html`` : madeWhat(own, link(own), view);
	});
	const rows = await Promise.all(
		endpoints.map(async (each) => {
			const facts = endpointFacts(each, await lastAttempts(each, deps), view);
			return html`<li><p><strong>${link(each)}</strong></p>${facts}</li>\n`;
		}),
	);
	const subject = { about: {}, saved: { ...Object.fromEntries(eventKinds.map((kind) => [kind, 'yes'])) } };
	return html`${secret}${itemList(rows, webhooks.none)}
<h2>${webhooks.create_title}</h2>${formCard(view, 'create-endpoint', endpointFields, webhooks.create, subject)}${connectPart(view, deps)}`;
}

/** What a new endpoint receives, or that an endpoint has a new secret. */
function madeWhat({ events, created_at, updated_at }: WebhookEndpoint, link: Markup, { texts }: View): Markup {
	if (created_at !== updated_at) return fillMarkup(texts.secret.rotated, link);
	return fillMarkup(texts.secret.endpoint, link, html`<bdi dir="ltr">${events.join(', ')}</bdi>`);
}

async function endpointPage(endpoint: WebhookEndpoint, view: View, deps: PageDeps): Promise<Markup> {
	const { webhooks } = view.texts;
	const { id, url, description, header_names } = endpoint;
	const names =
		header_names.length > 0 && html`<p class="soft">${fillIn(webhooks.headers_are, header_names.join(', '))}</p>`;
	return html`<p><a href="webhooks">${webhooks.all}</a></p>
<div class="card"><p><strong><bdi dir="ltr">${url}</bdi></strong></p>
${description !== null && html`<p><bdi>${description}</bdi></p>`}
${endpointFacts(endpoint, await lastAttempts(endpoint, deps), view)}${names}
<p><a href="deliveries?endpoint_id=${id}">${webhooks.deliveries}</a></p></div>
${endpointForms(endpoint, view)}`;
}

function endpointFacts(endpoint: WebhookEndpoint, last: LastAttempts, view: View): Markup {
	const { webhooks } = view.texts;
	const { status, events, health } = endpoint;
	const at = (time: string) => shortTime(time, view);
	const dot = html`<span class="${status === 'enabled' ? 'dot on' : 'dot'}"></span>`;
	const state = html`<p>${dot}${webhooks[status]} ${whyDisabled(endpoint, view)}</p>`;
	const failing =
		health.failing_since !== null &&
		html`<p class="missed">${fillIn(webhooks.failing_since, at(health.failing_since))}</p>`;
	const waiting = health.open_until !== null && html`<p>${fillIn(webhooks.waiting, at(health.open_until))}</p>`;
	return html`${state}${failing}${waiting}<p class="soft"><bdi dir="ltr">${events.join(', ')}</bdi>${madeBy(endpoint.made_by, view)}</p>
${lastTimes(last, view)}`;
}

function whyDisabled({ disabled_reason }: WebhookEndpoint, { texts, language }: View): string {
	if (disabled_reason === null) return '';
	return disabled_reason === 'manual' ? texts.webhooks.manual : endpointTextsIn(language)[disabled_reason];
}

function lastTimes({ read, success, failure }: LastAttempts, view: View): Markup {
	const { webhooks } = view.texts;
	if (read === 0) return html`<p class="soft">${webhooks.no_delivery}</p>`;
	const none = fillIn(webhooks.not_lately, String(read));
	const at = (attempt: LastAttempts['success']) => (attempt === null ? none : shortTime(attempt.started_at, view));
	const why = failure !== null && html` <bdi dir="ltr">${resultOf(failure)}</bdi>`;
	return html`<p class="soft">${fillIn(webhooks.last_success, at(success))}</p>
<p class="soft">${fillIn(webhooks.last_failure, at(failure))}${why}</p>`;
}
