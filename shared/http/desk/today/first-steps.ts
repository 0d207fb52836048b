import { html, type Markup } from '../../../presentation/markup.ts';
import { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { seenText } from '../site/site-seen.ts';

/**
 * What the owner of a shop without calls has to set up, with a link to the page for each step. False for other roles. False
 * also if a visitor has already asked for a callback. `isTested`: whether a test call has connected both sides. `testCall`:
 * the form that places a test call.
 */
export async function firstSteps(
	view: View,
	isTested: boolean,
	testCall: Markup | false,
	{ store }: PageDeps,
): Promise<Markup | false> {
	const { at, texts } = view;
	const { person, workspace } = at;
	if (person.role !== 'owner') return false;
	const first = { from_id: null, before_id: null, limit: 1 };
	if ((await store.list('callback_lead', workspace.id, first)).length > 0) return false;
	const { pages, fields, snippet, first_steps, test_call } = texts;
	const sites = await sitesSeen(workspace, { store });
	const site = sites.find(({ seen_at }) => seen_at !== null) ?? sites[0];
	const says = site === undefined ? '' : seenText(site, view);
	const step = (page: string, label: string, done: boolean, otherwise = '', says = first_steps.done): Markup => {
		const state = done ? `✓ ${says}` : otherwise;
		return html`<li><a href="${page}">${label}</a>${state !== '' && html` <span class="soft">${state}</span>`}</li>`;
	};
	return html`<section class="card" aria-labelledby="first-steps"><h2 id="first-steps">${first_steps.title}</h2>
<ol class="steps">${step('hours', first_steps.hours, workspace.business_hours !== null, first_steps.hours_now)}
${step('team', pages.team, workspace.team.length > 0)}
${step('site', fields.origins, workspace.origins.length > 0)}
${step('site#snippet', snippet, !!site?.seen_at, says, says)}
${step('notices', pages.notices, workspace.team_email !== null)}
${step('team#test-call', test_call.title, isTested)}</ol>
${!isTested && testCall}
<p class="soft">${first_steps.hint}</p></section>`;
}
