import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { knownLanguage, type Language, languages } from '../../../domain/workspaces/language.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import { savedFor, sitesRemoved, WEEKDAYS } from '../sections.ts';
import { blockNote, chatNote } from './block-note.ts';
import { weekdayName } from './desk-words.ts';
import { type Form, field, fieldState, fieldValue, formCard, languageName, tick } from './fields.ts';
import { hiddenFields, type PageDeps, type ShopDeps, type View } from './frame.ts';
import { seenText } from './site-seen.ts';

// The pages with the settings of a shop: its hours, its notices and its site.

/** Openings of one day that the form has fields for; if a day has more, one more than those. */
const OPENINGS = 2;

/** Weekly hours, holidays and the time zone. */
export const hoursPage = (view: View): Markup => formCard(view, 'hours', hoursForm, view.texts.save);

function hoursForm(form: Form): Markup {
	const { texts } = form.view;
	const { always_open, fields } = texts;
	const nths = Object.keys(form.saved).flatMap((name) => /^from-\d-(\d+)$/.exec(name)?.[1] ?? []);
	const most = Math.max(OPENINGS, ...nths.map((nth) => Number(nth) + 2));
	const when = fieldValue(form, 'when', (value) => (value === 'always' ? always_open : fields.weekly));
	return html`<fieldset>
${tick('radio', 'when', 'always', when.value, always_open)}
${tick('radio', 'when', 'hours', when.value, fields.weekly)}${when.beside}${fieldValue(form, 'weekly').beside}</fieldset>
<p class="soft">${texts.hours_hint}</p>
<table class="hours">${WEEKDAYS.map((weekday) => dayRow(form, weekday, most))}</table>
${field(form, 'time_zone')}${field(form, 'holidays')}${field(form, 'holiday')}`;
}

function dayRow(form: Form, weekday: number, most: number): Markup {
	const { texts, language } = form.view;
	const day = weekdayName(weekday, language);
	const field = (end: 'from' | 'to', nth: number, label: string): Markup => {
		const name = `${end}-${weekday}-${nth}`;
		const { value, is_wrong, beside } = fieldValue(form, name);
		return html`<input type="time" name="${name}" aria-label="${fillIn(label, day)}"${fieldState(name, is_wrong)} value="${value}">${beside}`;
	};
	const pairs = Array.from(
		{ length: most },
		(_, nth) => html`<span class="row">${field('from', nth, texts.from_on)}–${field('to', nth, texts.to_on)}</span>`,
	);
	return html`<tr><th scope="row">${day}</th><td>${pairs}</td></tr>`;
}

/** Where messages to the team go. */
export async function noticesPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, at } = view;
	const { team_email, team_email_asked: asked, team_webhook } = at.workspace;
	const note = team_email !== null && (await blockNote(team_email, view, deps));
	const block = note && html`<div class="card"><strong><bdi dir="ltr">${team_email}</bdi></strong>${note}</div>`;
	const fails = await chatNote(view, deps);
	const chat = team_webhook && html`<p class="soft">${fillIn(texts.chat_is, team_webhook.origin)}</p>${fails}`;
	const waits = asked && html`<p class="card">${fillIn(texts.agree.waits, asked.address)}</p>`;
	return html`${formCard(view, 'notices', ['team_email', 'tells_missed_calls'], texts.save)}${waits}${block}${chat}`;
}

/** The shop's site: its addresses, the snippet, the look of the widget, and what visitors agree to. */
export async function sitePage(view: View, { addresses, store }: ShopDeps): Promise<Markup> {
	const { texts, at } = view;
	const { look, copy, copied } = texts;
	const sites = await sitesSeen(at.workspace, { store });
	return html`${formCard(view, 'site', siteForm, texts.save)}
<h2>${texts.snippet}</h2>
<pre dir="ltr" tabindex="0" id="snippet">${snippet(at.workspace.workspace_key, addresses).markup}</pre>
<button class="quiet" type="button" data-copy="snippet" data-copied="${copied}" aria-live="polite" hidden>${copy}</button>
${sites.map((site) => html`<p class="soft">${seenText(site, view)}</p>`)}
<h2>${look.title}</h2><p class="soft">${look.hint}</p>
<div class="columns">${formCard(view, 'look', ['accent', 'greeting'], texts.save)}
<iframe src="preview" title="${look.preview}" hidden></iframe></div>
<h2 id="consent">${texts.consent}</h2>${consentCard(view)}<script src="desk.js" defer></script>`;
}

/** Once the form was asked about sites that it leaves out, it says so, and saves. */
function siteForm(form: Form): Markup {
	const { at, note } = form.view;
	const isAsked = form.is_current && (note?.problem === 'sites_removed' || note?.problem === 'sites_end');
	const removes = isAsked && form.entered !== null && sitesRemoved(form.entered, at.workspace).join(' ');
	return html`${field(form, 'name')}${field(form, 'origins')}${field(form, 'language')}${removes && hiddenFields({ removes })}`;
}

/** What visitors agree to, for each language of the widget: the team's own first. */
function consentCard(view: View): Markup {
	const { texts, at, entered, query } = view;
	const tag = entered?.['action'] === 'consent' ? entered['language'] : query['consent'];
	const current = knownLanguage(tag ?? '') ?? view.language;
	const links = languages.map((each) => {
		const mark = each === current ? html`class="button" aria-current="true"` : html`class="button quiet"`;
		return html`<a ${mark} lang="${each}" href="site?consent=${each}#consent">${languageName(each)}</a>`;
	});
	const about = { language: current };
	const saved = savedFor({ action: 'consent', ...about }, at.workspace) ?? {};
	const form = (each: Form) => consentForm(each, current);
	return html`<p class="row">${links}</p>${formCard(view, 'consent', form, texts.save, { about, saved })}`;
}

/**
 * The workspace's own texts in a language, each with the text that visitors see, and the page about privacy, which the
 * widget shows beside them.
 */
function consentForm(form: Form, language: Language): Markup {
	const { at, texts } = form.view;
	const textShown = (purpose: ConsentCase): Markup =>
		html`<p class="soft">${texts.shown_as} <q lang="${language}">${consentText(at.workspace, language, purpose).text}</q></p>`;
	return html`<p class="soft">${fillIn(texts.consent_hint, languageName(language, form.view.language))}</p>
${consentCases.map((purpose) => html`${field(form, purpose)}${textShown(purpose)}${purpose === 'call' && field(form, 'covers')}`)}
${field(form, 'privacy_links')}`;
}

const snippet = (key: string, { widget_script, base_url }: ShopDeps['addresses']): Markup =>
	html`<script src="${widget_script}" data-workspace-key="${key}" data-base-url="${base_url}" async></script>`;
