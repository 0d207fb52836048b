import type { TeamMessage } from '../ports/team-notifier.ts';
import { teamMail } from './team-mail.ts';
import { textsIn } from './team-texts.ts';

/** The hosts of webhooks of Teams: the hosts of its Workflows, and of its older connectors. */
const TEAMS = ['.logic.azure.com', '.powerplatform.com', '.webhook.office.com'];

/**
 * The body of a post with the same content as the mail, in the team's language. For Teams, the body is an Adaptive Card.
 * For all other hosts, it is `{ "text": ... }`, which Slack, Mattermost and Google Chat accept.
 */
export function teamPost(message: TeamMessage): string {
	const { hostname } = new URL(message.to);
	const { text } = teamMail(message);
	if (hostname === 'hooks.slack.com') return JSON.stringify({ text: withoutMarkup(text), unfurl_links: false });
	return JSON.stringify(TEAMS.some((domain) => hostname.endsWith(domain)) ? card(text, message) : { text });
}

/**
 * Escapes a text for Slack. Slack decodes entities, and reads mentions and links between < and > (see its "Escaping text").
 */
const withoutMarkup = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * A card for Teams. The text is in a text run, because Teams reads no Markdown in a text run. So Teams shows unchanged what
 * a visitor typed.
 */
function card(text: string, message: TeamMessage): object {
	const content = {
		type: 'AdaptiveCard',
		$schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
		version: '1.4',
		body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }],
		...actionOf(message),
	};
	return {
		type: 'message',
		attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
	};
}

/** The button of a card, which opens the same page as the button in the mail. */
function actionOf(message: TeamMessage): { readonly actions?: readonly object[] } {
	const { ring, missed } = textsIn(message.locale.language);
	if ('lead' in message) return { actions: [opening(ring, message.link.url)] };
	if ('calls' in message && message.desk_url !== null)
		return { actions: [opening(missed.call_back, message.desk_url)] };
	return {};
}

const opening = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });
