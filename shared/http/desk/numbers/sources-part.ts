import type { SourceKind } from '../../../domain/calls/source-names.ts';
import type { SourceNumbers, Sources } from '../../../domain/calls/source-numbers.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { shortTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';

/** The most pages, and the most campaigns, that are shown. The file has all of them. */
const MOST_SHOWN = 20;

/**
 * The pages and the campaigns that calls and callback requests came from. The pages and campaigns with the most
 * conversations come first. `fromMs`: when the figures of the members begin. The figures of the pages say when they begin
 * only if they begin later. `mark`: the sign of a footnote.
 */
export function sourcesPart(sources: Sources, fromMs: number, mark: Markup | false, view: View): Markup {
	const { sources: texts } = view.texts;
	const isLater = Date.parse(sources.since) > fromMs;
	const since = isLater && fillIn(texts.since, shortTime(sources.since, view));
	const hasRest = [...sources.path, ...sources.campaign].some(({ name }) => name === null);
	const named = hasRest && fillIn(texts.named, texts.other);
	const notes = [since, named].filter((note) => note !== false);
	return html`<h2>${texts.title}${mark}</h2>${notes.length > 0 && html`<p class="soft">${notes.join(' ')}</p>`}
<h3>${texts.path}</h3>${rowsOf('path', sources, view)}
<h3>${texts.campaign}</h3>${rowsOf('campaign', sources, view)}`;
}

function rowsOf(kind: SourceKind, sources: Sources, view: View): Markup {
	const { sources: texts, figures } = view.texts;
	const { [kind]: rows } = sources;
	if (rows.length === 0) return html`<p class="empty">${kind === 'path' ? texts.no_path : texts.no_campaign}</p>`;
	const heads = [figures.answered, figures.calls, figures.missed, figures.leads];
	const shown = rows.slice(0, MOST_SHOWN).map((row) => sourceRow(row, heads, view));
	const isCut = rows.length > MOST_SHOWN;
	return html`<div class="card"><table class="figures many">
<thead><tr><td></td>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${shown}</tbody></table></div>${isCut && html`<p class="soft">${fillIn(texts.more, String(MOST_SHOWN))}</p>`}`;
}

function sourceRow(
	{ name, requests, conversations, missed, callbacks }: SourceNumbers,
	heads: readonly string[],
	{ language, texts }: View,
): Markup {
	const number = numberIn(language);
	const counts = [conversations, requests, missed, callbacks];
	const cells = counts.map((count, nth) => html`<td data-of="${heads[nth]}">${number(count)}</td>`);
	return html`<tr><th scope="row"><bdi>${name ?? texts.sources.other}</bdi></th>${cells}</tr>
`;
}
