import type { TeamMessage } from '../ports/team-notifier.ts';
import { deskMail } from './desk-mail.ts';
import { endpointMail } from './endpoint-mail.ts';
import { leadMail } from './lead-mail.ts';
import type { Mail } from './letter.ts';

/** Composes the mail with a notice to a team. */
export function teamMail(message: TeamMessage): Mail {
	if ('lead' in message) return leadMail(message);
	return 'desk_link' in message ? deskMail(message) : endpointMail(message);
}
