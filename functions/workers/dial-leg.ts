import { numberOpener, telephony, workerDeps } from '../../shared/deps.ts';
import { consume } from '../../shared/messages/consume.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { dialLeg } from '../../shared/use-cases/calls/dial-leg.ts';
import { missedNoticeWrites } from '../../shared/use-cases/notices/missed-call-notice.ts';

const deps = {
	...workerDeps('dial-leg'),
	whenMissed: missedNoticeWrites,
	telephony: telephony(),
	opener: numberOpener(),
};

export const handler = consume('dial-leg', messageSchemas['dial-legs'], deps.log, (message) => dialLeg(message, deps));
