import { deskAddress } from '../../domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../domain/workspaces/email-address.ts';
import { countIn, periodAt, type WindowRefusal, windowRefusal } from '../../domain/workspaces/rate-limit.ts';
import type { Ports } from '../../ports/ports.ts';
import type { DeskLinkMessage } from '../../ports/registry.ts';
import type { Macs } from '../../ports/vault.ts';
import { mailboxHash, requestSource } from '../visitors/keyed-hash.ts';

type Counting = Pick<Ports, 'store' | 'clock'> & { readonly macs: Macs };

const WINDOW_SECONDS = 600;
/**
 * Links that are asked for and wrong links in a window from one address, five times as many from one IPv6 network; mails in a
 * window and a day to one mailbox.
 */
const MOST = { asked: 10, wrong: 30, mails: 3, mails_a_day: 12 } as const;

/**
 * Asks for a link by mail. The result and the work are the same for known and unknown addresses, because a worker looks the
 * address up later; the result is also the same for a mailbox that has had enough mails.
 */
export async function askForLink(
	typed: { readonly address: string; readonly source_ip: string },
	deps: Counting & Pick<Ports, 'queues'>,
): Promise<{ readonly asked: true } | WindowRefusal> {
	const refusal = await countTry('asked', typed.source_ip, deps);
	if (refusal !== null) return refusal;
	const address = deskAddress(typed.address);
	if (isEmailAddress(address) && (await mayMail(address, deps))) await sendLink({ address, reason: 'sign_in' }, deps);
	return { asked: true };
}

/** Counts what only strangers do often; null: the address and its network may go on. */
export async function countTry(
	what: 'asked' | 'wrong',
	source_ip: string,
	{ macs, clock, store }: Counting,
): Promise<WindowRefusal | null> {
	const window = periodAt(WINDOW_SECONDS, clock.now());
	const { platform_address_hash, network_hash } = await requestSource(macs, 'desk', source_ip);
	const counts = [
		countIn(window, `desk-${what}-address#${platform_address_hash}`, { used: MOST[what] }),
		...(network_hash === null
			? []
			: [countIn(window, `desk-${what}-network#${network_hash}`, { used: 5 * MOST[what] })]),
	];
	const outcomes = await Promise.all(counts.map((count) => store.count(count)));
	return outcomes.every((one) => one.counted) ? null : windowRefusal(clock.now());
}

async function mayMail(address: string, { macs, clock, store }: Counting): Promise<boolean> {
	const day = periodAt(24 * 3600, clock.now());
	const window = periodAt(WINDOW_SECONDS, clock.now()).begins.slice(11);
	const limits = { used: MOST.mails_a_day, [window]: MOST.mails };
	return (await store.count(countIn(day, `desk-mailbox#${await mailboxHash(macs, address)}`, limits))).counted;
}

/** Asks the worker to mail a link. */
export const sendLink = (message: DeskLinkMessage, { queues }: Pick<Ports, 'queues'>) =>
	queues.send('team-notices', [{ message, delay_seconds: 0, group: null }]);
