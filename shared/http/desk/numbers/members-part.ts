import type { MemberNumbers } from '../../../domain/calls/tally.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { numberIn, percentIn } from '../../../presentation/team-words.ts';
import type { View } from '../kit/view.ts';

/**
 * How often each member's phone rang and how often the member took a call, for owners. The current members of the team come
 * first, and then the former members. `mark`: the sign of a footnote.
 */
export function membersPart(numbers: ReadonlyMap<string, MemberNumbers>, mark: Markup | false, view: View): Markup {
	const { texts, language, at } = view;
	const { by_member, no_team } = texts;
	const { team, former_members = [] } = at.workspace;
	const names = new Map(former_members.map(({ id, name, phone_masked }) => [id, name ?? phone_masked]));
	const others = [...numbers.keys()].filter((id) => team.every((member) => member.id !== id));
	const people = [
		...team.map(({ id, name, phone_masked }) => [id, name ?? phone_masked] as const),
		...others.map((id) => [id, names.get(id) ?? by_member.former] as const),
	];
	const number = numberIn(language);
	const percent = percentIn(language);
	const rows = people.map(([id, name]) => {
		const { rung, took } = numbers.get(id) ?? { rung: 0, took: 0 };
		// `rung` counts only phones whose dial was known when the call ended. A member may have taken a call although the
		// dial was not known. So `took` may exceed `rung`.
		const rate = rung === 0 ? '–' : percent(Math.min(1, took / rung));
		return html`<tr><th scope="row"><bdi>${readableMask(name)}</bdi></th>
<td>${number(rung)}</td><td>${number(took)}</td><td>${rate}</td></tr>
`;
	});
	const heads = [texts.fields.member, by_member.rung, by_member.took, by_member.rate];
	const table = html`<table class="figures"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`;
	const shown = html`<p class="soft">${by_member.taken}</p><div class="card">${table}</div>`;
	return html`<h2>${by_member.title}${mark}</h2>${rows.length === 0 ? html`<p class="empty">${no_team}</p>` : shown}`;
}
