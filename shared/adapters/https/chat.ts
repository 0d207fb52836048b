import type { SendResult } from '../../domain/webhooks/attempt-outcome.ts';
import { guardOf } from '../../domain/webhooks/intermediary.ts';
import type { NotifyOutcome, TeamNotifier } from '../../ports/team-notifier.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { teamPost } from '../../presentation/team-post.ts';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Call-Back-Webhooks/1' };

/** Posts to a chat, or to any URL of a team, with the guarded sender of webhooks: one try each. */
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
	// Permanent failures: an invalid post, or a revoked URL. A time-out or a rate limit is transient.
	const lasting = answered >= 400 && answered < 500 && answered !== 408 && answered !== 429;
	return { notified: lasting ? 'refused' : 'failed', code };
}

/** The incoming webhooks of Microsoft Teams. Its Workflows, at other hosts, answer by their status. */
const isTeamsConnector = (url: string): boolean =>
	URL.canParse(url) && /(^|\.)webhook\.office\.com$|^outlook\.office(365)?\.com$/.test(new URL(url).hostname);

/**
 * Teams answers 200 in any case: a number means success, a sentence means failure, such as "Webhook message delivery failed
 * with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId ...". A sentence without a status counts as
 * 503, because the failure may be transient.
 */
function teamsStatus(body: string): number {
	if (/^\s*\d+\s*$/.test(body)) return 200;
	const status = Number(/HTTP error (\d{3})/i.exec(body)?.[1] ?? 503);
	return status >= 400 ? status : 503;
}
