import type { LeadNotice } from '../ports/team-notifier.ts';
import { leadMail } from './lead-mail.ts';
import { textsIn } from './team-texts.ts';

/** Where Teams takes posts: of Workflows, and of the older connectors. */
const TEAMS = ['.logic.azure.com', '.powerplatform.com', '.webhook.office.com'];

/**
 * The body of a post about a lead, with its one-time link, in the team's language: an Adaptive Card for Teams, else
 * `{ "text": ... }`, which Slack, Mattermost and Google Chat take.
 */
export function leadPost(notice: LeadNotice): string {
	const { hostname } = new URL(notice.to);
	const { text } = leadMail(notice);
	if (hostname === 'hooks.slack.com') return JSON.stringify({ text: unmarked(text), unfurl_links: false });
	return JSON.stringify(TEAMS.some((domain) => hostname.endsWith(domain)) ? card(text, notice) : { text });
}

/** Slack reads mentions and links between < and > (its "Escaping text"): a visitor's name must not call a channel. */
const unmarked = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text runs take no Markdown, so what a visitor typed stays what it is. */
function card(text: string, { link, locale }: LeadNotice): object {
	const content = {
		type: 'AdaptiveCard',
		$schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
		version: '1.4',
		body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }],
		actions: [{ type: 'Action.OpenUrl', title: textsIn(locale.language).ring, url: link.url }],
	};
	return {
		type: 'message',
		attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
	};
}
