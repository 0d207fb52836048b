import { replayNotice } from '../../domain/notices/team-notice.ts';
import type { Ports } from '../../ports/ports.ts';
import { noticeMessage } from '../notices/new-notices.ts';
import { resendDelivery } from '../webhooks/resend-delivery.ts';
import type { Verdict } from './judge-dead-letter.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock'>;

/**
 * Carries out the verdict on a message. Returns true if the message may now be deleted, and false if the message must stay
 * because otherwise its work would never be done. This function is safe to repeat: a delivery starts over only once, as a
 * new generation, and the sweep does what a crash or a lost message left undone.
 */
export async function replayDeadLetter(verdict: Verdict, deps: Deps): Promise<boolean> {
	const { store, queues, clock } = deps;
	switch (verdict.verdict) {
		case 'replay':
			await resendDelivery(verdict.delivery, deps);
			return true;
		case 'hang_up': {
			const { sent } = await queues.send('hang-up-legs', [{ message: verdict.message, delay_seconds: 0, group: null }]);
			return sent === 1;
		}
		case 'tell_again': {
			const { notice } = verdict;
			const item = replayNotice(notice, clock.now());
			const guard = { if: 'version', version: notice.version } as const;
			const outcome = await store.commit([{ op: 'put', record: 'team_notice', item, guard }]);
			if (outcome.committed) await queues.send('team-notices', [noticeMessage(notice)]);
			return true;
		}
		case 'drop':
			return true;
		case 'keep':
			return false;
	}
}
