import { telephony, workerDeps } from '../../shared/deps.ts';
import { consume } from '../../shared/messages/consume.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { hangUpLeg } from '../../shared/use-cases/calls/hang-up-leg.ts';

const deps = { ...workerDeps('hang-up-leg'), telephony: telephony() };

export const handler = consume('hang-up-leg', messageSchemas['hang-up-legs'], deps.log, (message) =>
	hangUpLeg(message, deps),
);
