import { endedFailure, type FailingRecipient, failingRecipient } from '../../domain/notices/failing-recipient.ts';
import type { LogFields } from '../../ports/log-redaction.ts';
import type { Ports } from '../../ports/ports.ts';
import type { NotifyOutcome } from '../../ports/team-notifier.ts';

/**
 * After each message to a chat or a mail address, stores whether messages reach the recipient. If the message failed, this
 * function stores why, and since when messages to the recipient have failed, and logs a line. `about` says in the log what
 * the message was about. Blocked mail addresses are stored in a record of another kind.
 */
export async function noteRecipient(
	recipient: string,
	outcome: NotifyOutcome,
	about: LogFields,
	{ store, clock, log }: Pick<Ports, 'store' | 'clock' | 'log'>,
): Promise<void> {
	if (outcome.notified === 'blocked') return;
	const put = (item: FailingRecipient) =>
		store.commit([{ op: 'put', record: 'failing_recipient', item, guard: { if: 'always' } }]);
	const before = await findFailure(recipient, { store, clock });
	if (outcome.notified === 'sent') {
		if (before !== null) await put(endedFailure(before, clock.now()));
		return;
	}
	const failing = failingRecipient(recipient, outcome.code, before, clock.now());
	log.warn('recipient failing', { ...about, code: failing.code, failing_since: failing.since });
	await put(failing);
}

/**
 * Since when, and why, messages to a chat or a mail address fail. Null if no message has failed, or if a message was sent
 * after the failure.
 */
export async function findFailure(
	recipient: string,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<FailingRecipient | null> {
	const failing = await store.get('failing_recipient', { recipient });
	return failing !== null && failing.expires_at_epoch_s * 1000 > clock.now() ? failing : null;
}
