import { telephony, workerDeps } from '../../shared/deps.ts';
import { consume } from '../../shared/messages/consume.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { checkDeadlines } from '../../shared/use-cases/calls/check-deadlines.ts';
import { missedNoticeWrites } from '../../shared/use-cases/notices/missed-call-notice.ts';

const deps = { ...workerDeps('call-timer'), whenMissed: missedNoticeWrites, telephony: telephony() };

/** Checks the deadlines of a call when one of its timers fires. Most timers find nothing to do. */
export const handler = consume('call-timer', messageSchemas['call-timers'], deps.log, (message) =>
	checkDeadlines(message, deps),
);
