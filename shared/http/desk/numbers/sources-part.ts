import type { SourceKind } from '../../../domain/calls/source-names.ts';
import type { SourceNumbers, Sources } from '../../../domain/calls/source-numbers.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { itemList } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';

/** The most pages, and the most campaigns, that are shown. The file has all of them. */
const MOST_SHOWN = 20;

/**
 * The pages and the campaigns that calls and callback requests came from. The pages and campaigns with the most
 * conversations come first.
 */
export function sourcesPart(sources: Sources, view: View): Markup {
	const { sources: texts } = view.texts;
	const since = fillIn(texts.since, shortTime(sources.since, view), texts.other);
	return html`<h2>${texts.title}</h2><p class="soft">${since}</p>
<h3>${texts.path}</h3>${rowsOf('path', sources, view)}
<h3>${texts.campaign}</h3>${rowsOf('campaign', sources, view)}`;
}

function rowsOf(kind: SourceKind, sources: Sources, view: View): Markup {
	const { sources: texts } = view.texts;
	const { [kind]: rows } = sources;
	const shown = rows.slice(0, MOST_SHOWN).map((row) => sourceRow(row, view));
	const none = kind === 'path' ? texts.no_path : texts.no_campaign;
	const isCut = rows.length > MOST_SHOWN;
	return html`${itemList(shown, none)}${isCut && html`<p class="soft">${fillIn(texts.more, String(MOST_SHOWN))}</p>`}`;
}

function sourceRow({ name, requests, conversations, missed, callbacks }: SourceNumbers, view: View): Markup {
	const { figures, sources } = view.texts;
	const number = numberIn(view.language);
	const figure = (word: string, count: number): Markup => html`${word} <b>${number(count)}</b>`;
	const brought = html`${figure(figures.answered, conversations)} · ${figure(figures.calls, requests)}`;
	const left = html`${figure(figures.missed, missed)} · ${figure(figures.leads, callbacks)}`;
	return html`<li><p><strong><bdi>${name ?? sources.other}</bdi></strong></p>
<p class="soft">${brought} · ${left}</p></li>`;
}
