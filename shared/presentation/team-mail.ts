import type { TeamMessage } from '../ports/team-notifier.ts';
import { endpointMail } from './endpoint-mail.ts';
import { leadMail } from './lead-mail.ts';
import type { Mail } from './letter.ts';

/** What a team is told, as a mail. */
export function teamMail(message: TeamMessage): Mail {
	return 'lead' in message ? leadMail(message) : endpointMail(message);
}
