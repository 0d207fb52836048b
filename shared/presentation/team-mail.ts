import type { TeamMessage } from '../ports/team-notifier.ts';
import { endpointMail } from './endpoint-mail.ts';
import { leadMail } from './lead-mail.ts';
import type { Mail } from './letter.ts';

/** Composes the mail with a notice to a team. */
export function teamMail(message: TeamMessage): Mail {
	return 'lead' in message ? leadMail(message) : endpointMail(message);
}
