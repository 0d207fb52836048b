import type { Call } from '../../domain/calls/call.ts';
import { isLive } from '../../domain/calls/leg.ts';
import type { TeamNotice } from '../../domain/notices/team-notice.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { DeliveryMessage, Messages } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';

export type DeadLetterContent =
	| { readonly kind: 'delivery'; readonly message: DeliveryMessage }
	/**
	 * A dial or a hang-up. Messages of both kinds look the same. The call's state shows which of the two is still needed.
	 */
	| { readonly kind: 'leg'; readonly message: Messages['hang-up-legs'] }
	| { readonly kind: 'call_timer'; readonly message: Messages['call-timers'] }
	| { readonly kind: 'team_notice'; readonly message: Messages['team-notices'] }
	| { readonly kind: 'unreadable' };

export type NothingToDo =
	| 'succeeded_meanwhile'
	| 'under_way'
	| 'held_until_enabled'
	| 'replayed_already'
	| 'canceled'
	| 'expired'
	/** The message would dial a phone. The phone is never dialed again, because the visitor no longer waits. */
	| 'stale_dial'
	| 'call_over'
	/**
	 * A message about a call's deadline. It is not replayed, because the sweep checks the deadlines of every call anyway.
	 */
	| 'left_to_sweep';

/** What replaying a message would do. The records in the table decide this. The message only says which records to read. */
export type Verdict =
	| { readonly verdict: 'replay'; readonly delivery: Delivery }
	| { readonly verdict: 'hang_up'; readonly message: Messages['hang-up-legs'] }
	| { readonly verdict: 'tell_again'; readonly notice: TeamNotice }
	| { readonly verdict: 'drop'; readonly because: NothingToDo }
	| { readonly verdict: 'keep' };

const drop = (because: NothingToDo): Verdict => ({ verdict: 'drop', because });

const UNLESS_FAILED = {
	pending: 'under_way',
	succeeded: 'succeeded_meanwhile',
	sent: 'succeeded_meanwhile',
	held: 'held_until_enabled',
	canceled: 'canceled',
} as const satisfies Record<Exclude<(Delivery | TeamNotice)['status'], 'failed'>, NothingToDo>;

/** Decides what replaying this message would do now. Also returns the delivery, if the message is about a delivery. */
export async function judgeDeadLetter(
	letter: DeadLetterContent,
	{ store, now_ms }: { readonly store: Pick<Store, 'get'>; readonly now_ms: number },
): Promise<{ readonly verdict: Verdict; readonly delivery: Delivery | null }> {
	switch (letter.kind) {
		case 'delivery': {
			const delivery = await store.get('delivery', { id: letter.message.delivery_id });
			return { verdict: judgeDelivery(delivery, letter.message, now_ms), delivery };
		}
		case 'leg':
			return {
				verdict: judgeLeg(await store.get('call', { id: letter.message.call_id }), letter.message),
				delivery: null,
			};
		case 'call_timer':
			return { verdict: drop('left_to_sweep'), delivery: null };
		case 'team_notice': {
			// The message asks for a mail with a link to the desk. By now, that mail would come too late, and the person
			// can ask for another link.
			if ('address' in letter.message) return { verdict: drop('expired'), delivery: null };
			const notice = await store.get('team_notice', { id: letter.message.notice_id });
			return { verdict: judgeNotice(notice), delivery: null };
		}
		case 'unreadable':
			return { verdict: { verdict: 'keep' }, delivery: null };
	}
}

function judgeDelivery(delivery: Delivery | null, { generation }: DeliveryMessage, nowMs: number): Verdict {
	if (delivery === null || delivery.expires_at_epoch_s * 1000 <= nowMs) return drop('expired');
	if (delivery.status !== 'failed') return drop(UNLESS_FAILED[delivery.status]);
	return delivery.generation === generation ? { verdict: 'replay', delivery } : drop('replayed_already');
}

function judgeLeg(call: Call | null, message: Messages['hang-up-legs']): Verdict {
	const leg = call?.legs.find(({ id }) => id === message.leg_id);
	if (leg === undefined || !isLive(leg)) return drop('call_over');
	return leg.hangup_requested_at === null ? drop('stale_dial') : { verdict: 'hang_up', message };
}

function judgeNotice(notice: TeamNotice | null): Verdict {
	if (notice === null) return drop('expired');
	return notice.status === 'failed' ? { verdict: 'tell_again', notice } : drop(UNLESS_FAILED[notice.status]);
}
