import type { SendResult } from '../../domain/webhooks/attempt-outcome.ts';
import { guardOf } from '../../domain/webhooks/intermediary.ts';
import type { NotifyOutcome, TeamNotifier } from '../../ports/team-notifier.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { teamPost } from '../../presentation/team-post.ts';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Call-Back-Webhooks/1' };

/**
 * Posts to a team's chat, or to another URL of the team. Uses the sender of webhooks, which guards against internal
 * addresses. Each message is tried once.
 */
export function chatNotifier(sender: Pick<WebhookSender, 'send'>): TeamNotifier {
	return {
		tell: async (message) =>
			outcomeOf(message.to, await sender.send({ url: message.to, headers: HEADERS, body: teamPost(message) })),
	};
}

function outcomeOf(url: string, result: SendResult): NotifyOutcome {
	if (result.kind === 'failure') return { notified: 'failed', code: result.error };
	const { status } = result;
	const guard = guardOf(result.headers);
	if (guard !== null) return { notified: 'failed', code: `guard_${guard.guard}` };
	const answered = status === 200 && isTeamsConnector(url) ? teamsStatus(result.body) : status;
	if (answered >= 200 && answered < 300) return { notified: 'sent' };
	const code = `http_${answered}`;
	// A 4xx status is permanent: the post is invalid, or the URL was revoked. Only a time-out (408) and a rate limit (429)
	// are temporary.
	const lasting = answered >= 400 && answered < 500 && answered !== 408 && answered !== 429;
	return { notified: lasting ? 'refused' : 'failed', code };
}

/**
 * Whether the URL is an incoming webhook of Microsoft Teams. The Workflows of Teams have other hosts and answer with a
 * proper status.
 */
const isTeamsConnector = (url: string): boolean =>
	URL.canParse(url) && /(^|\.)webhook\.office\.com$|^outlook\.office(365)?\.com$/.test(new URL(url).hostname);

/**
 * The status that Teams means. An incoming webhook of Teams always answers with 200. A number in the body means success. A
 * sentence means failure, for example "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP
 * error 429 with ContextId ...". A sentence without a status counts as 503, because the failure may be temporary.
 */
function teamsStatus(body: string): number {
	if (/^\s*\d+\s*$/.test(body)) return 200;
	const status = Number(/HTTP error (\d{3})/i.exec(body)?.[1] ?? 503);
	return status >= 400 ? status : 503;
}
