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
			outcomeOf(await sender.send({ url: message.to, headers: HEADERS, body: teamPost(message) })),
	};
}

function outcomeOf(result: SendResult): NotifyOutcome {
	if (result.kind === 'failure') return { notified: 'failed', code: result.error };
	const { status } = result;
	const guard = guardOf(result.headers);
	if (guard !== null) return { notified: 'failed', code: `guard_${guard.guard}` };
	if (status >= 200 && status < 300) return { notified: 'sent' };
	const code = `http_${status}`;
	// Permanent failures: an invalid post, or a revoked URL. A time-out or a rate limit is transient.
	const lasting = status >= 400 && status < 500 && status !== 408 && status !== 429;
	return { notified: lasting ? 'refused' : 'failed', code };
}
