import { type DeskLink, newDeskLink } from '../../domain/desk/desk-link.ts';
import { deskAddress } from '../../domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../domain/workspaces/email-address.ts';
import { countIn, periodAt, type WindowRefusal, windowRefusal } from '../../domain/workspaces/rate-limit.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Macs } from '../../ports/vault.ts';
import { mailboxHash, requestSource } from '../visitors/keyed-hash.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'> & { readonly macs: Macs };

const WINDOW_SECONDS = 600;
/** Requests in a window from one address and from one IPv6 network; mails in a window and a day to one mailbox. */
const MOST = { requests: 10, network_requests: 50, mails: 3, mails_a_day: 12 } as const;

/**
 * Asks for a link by mail. The result is the same for known and unknown addresses, and for a mailbox that has had enough
 * mails: a worker looks up the address later.
 */
export async function askForLink(
	{ address, source_ip }: { readonly address: string; readonly source_ip: string },
	deps: Deps,
): Promise<{ readonly asked: true } | WindowRefusal> {
	const now_ms = deps.clock.now();
	if (!(await mayAsk(source_ip, deps))) return windowRefusal(now_ms);
	if (!isEmailAddress(deskAddress(address))) return { asked: true };
	const link = newDeskLink({ id: deps.ids.next(now_ms), address: deskAddress(address), reason: 'sign_in' }, now_ms);
	if (await mayMail(link.address, deps)) await sendLink(link, deps);
	return { asked: true };
}

async function mayAsk(source_ip: string, { macs, clock, store }: Deps): Promise<boolean> {
	const window = periodAt(WINDOW_SECONDS, clock.now());
	const { platform_address_hash, network_hash } = await requestSource(macs, 'desk', source_ip);
	const counts = [
		countIn(window, `desk-address#${platform_address_hash}`, { used: MOST.requests }),
		...(network_hash === null
			? []
			: [countIn(window, `desk-network#${network_hash}`, { used: MOST.network_requests })]),
	];
	const outcomes = await Promise.all(counts.map((count) => store.count(count)));
	return outcomes.every((one) => one.counted);
}

async function mayMail(address: string, { macs, clock, store }: Deps): Promise<boolean> {
	const day = periodAt(24 * 3600, clock.now());
	const window = periodAt(WINDOW_SECONDS, clock.now()).begins.slice(11);
	const limits = { used: MOST.mails_a_day, [window]: MOST.mails };
	return (await store.count(countIn(day, `desk-mailbox#${await mailboxHash(macs, address)}`, limits))).counted;
}

/** Stores the link and asks the worker to mail it. */
export async function sendLink(link: DeskLink, { store, queues }: Pick<Ports, 'store' | 'queues'>): Promise<void> {
	const outcome = await store.commit([{ op: 'put', record: 'desk_link', item: link, guard: { if: 'absent' } }]);
	if (!outcome.committed) throw new Error('a fresh link id was taken');
	await queues.send('team-notices', [{ message: { desk_link_id: link.id }, delay_seconds: 0, group: link.id }]);
}
