import { type BlockedAddress, blockCodes, blockedAddress, endedBlock } from '../../domain/notices/blocked-address.ts';
import { mailRecipient } from '../../domain/notices/failing-recipient.ts';
import { deskAddress } from '../../domain/workspaces/desk-person.ts';
import { maskedAddress } from '../../domain/workspaces/email-address.ts';
import type { LogFields } from '../../ports/log-redaction.ts';
import type { Ports } from '../../ports/ports.ts';
import type { NotifyOutcome } from '../../ports/team-notifier.ts';
import { noteRecipient } from './failing-recipient.ts';

export const unsentCode = (outcome: Exclude<NotifyOutcome, { readonly notified: 'sent' }>): string =>
	outcome.notified === 'blocked' ? blockCodes[outcome.reason] : outcome.code;

/**
 * After each mail, stores whether the address can be reached. If the mail failed or was blocked, this function stores why,
 * and since when mails to the address have failed, and logs a line. The desk shows these facts. `about` says in the log what
 * the mail was about. A sent mail ends a stored block. But if the mail service's list of blocked addresses could not be read
 * before the mail was sent, the stored block stays, because the mail service has perhaps not delivered the mail.
 */
export async function noteMail(
	to: string,
	outcome: NotifyOutcome,
	about: LogFields,
	{ store, clock, log }: Pick<Ports, 'store' | 'clock' | 'log'>,
): Promise<void> {
	const put = (item: BlockedAddress) =>
		store.commit([{ op: 'put', record: 'blocked_address', item, guard: { if: 'always' } }]);
	if (outcome.notified === 'blocked') {
		log.warn('address blocked', { ...about, code: unsentCode(outcome), address_masked: maskedAddress(to) });
		await put(blockedAddress(to, outcome.reason, clock.now()));
	}
	await noteRecipient(
		mailRecipient(to),
		outcome,
		{ ...about, address_masked: maskedAddress(to) },
		{ store, clock, log },
	);
	if (outcome.notified !== 'sent') return;
	if (outcome.unchecked !== undefined)
		return log.warn('blocked addresses not read', { ...about, code: outcome.unchecked });
	const block = await findBlock(to, { store, clock });
	if (block !== null) await put(endedBlock(block, clock.now()));
}

/** Why an address gets no mail. Null if no reason is known. */
export async function findBlock(
	address: string,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<BlockedAddress | null> {
	const block = await store.get('blocked_address', { address: deskAddress(address) });
	return block !== null && block.expires_at_epoch_s * 1000 > clock.now() ? block : null;
}
