import type { TeamMessage } from '../ports/team-notifier.ts';
import { deskMail } from './desk-mail.ts';
import { endpointMail } from './endpoint-mail.ts';
import { handoverMail } from './handover-mail.ts';
import { leadMail } from './lead-mail.ts';
import type { Mail } from './letter.ts';
import { missedCallsMail } from './missed-calls-mail.ts';
import { secretMail } from './secret-mail.ts';
import { testMail } from './test-mail.ts';

export function teamMail(message: TeamMessage): Mail {
	if ('lead' in message) return leadMail(message);
	if ('calls' in message) return missedCallsMail(message);
	if ('made' in message) return secretMail(message);
	if ('handover' in message) return handoverMail(message);
	if ('test' in message) return testMail(message);
	return 'desk_link' in message ? deskMail(message) : endpointMail(message);
}
