import {
	BadRequestException,
	GetSuppressedDestinationCommand,
	NotFoundException,
	SESv2Client,
	SendEmailCommand,
} from '@aws-sdk/client-sesv2';
import type { BlockReason } from '../../domain/workspaces/blocked-address.ts';
import { mailboxOf } from '../../domain/workspaces/email-address.ts';
import type { AwsEnv } from '../../env.ts';
import type { TeamMessage, TeamNotifier } from '../../ports/team-notifier.ts';
import { teamMail } from '../../presentation/team-mail.ts';
import { plainConfig } from './client/account.ts';
import { codeOf, isSignatureRefusal } from './client/failure.ts';

const TIMEOUT_MS = 10_000;
/** For reading the suppression list. A mail does not wait longer. */
const READING_MS = 3_000;

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** Programs that answer mails by themselves leave these alone (RFC 3834 section 5). */
const AUTOMATIC = [{ Name: 'Auto-Submitted', Value: 'auto-generated' }];
/**
 * The headers of a mail. A callback request and a missed call are for a person to answer, and help desks drop what is marked as
 * automatic: Zendesk and osTicket count X-Auto-Response-Suppress as such a mark, too, so these have neither.
 */
const headersOf = (message: TeamMessage) => ('lead' in message || 'calls' in message ? {} : { Headers: AUTOMATIC });

/** Who gets an answer to a mail instead of its sender; none if it is the recipient, which help desks take for a loop. */
function replyTo(message: TeamMessage): { readonly ReplyToAddresses?: [string] } {
	const team_email = 'desk_link' in message ? message.team_email : null;
	if (team_email === null || isSameMailbox(team_email, message.to)) return {};
	return { ReplyToAddresses: [team_email] };
}
const isSameMailbox = (one: string, other: string): boolean =>
	mailboxOf(one).toLowerCase() === mailboxOf(other).toLowerCase();

type SesEnv = AwsEnv & { readonly AWS_ENDPOINT_URL_SESV2?: string | undefined };

/**
 * Sends mail through Amazon SES (API version 2, SendEmail), from a verified identity. If a response is lost, the message
 * may have been sent, and SES does not detect duplicates: so there is one try each. SES accepts a message to an address on the
 * account's suppression list and sends nothing, so we read the list first; if it cannot be read, we send. It uses the SDK's own
 * clients, because no request waits for it.
 */
export function sesNotifier(from: string, env: SesEnv): TeamNotifier {
	const config = plainConfig(env.AWS_ENDPOINT_URL_SESV2, env);
	const ses = new SESv2Client({ ...config, maxAttempts: 1 });
	const suppressionOf = suppressionList(new SESv2Client({ ...config, maxAttempts: 3 }));
	return {
		async tell(message) {
			const suppression = await suppressionOf(message.to);
			if (suppression !== null && 'reason' in suppression) return { notified: 'blocked', ...suppression };
			const { subject, text, html } = teamMail(message);
			const mail = new SendEmailCommand({
				FromEmailAddress: from,
				Destination: { ToAddresses: [message.to] },
				...replyTo(message),
				Content: {
					Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) }, ...headersOf(message) },
				},
			});
			try {
				await sendSigned(ses, mail);
				return { notified: 'sent', ...suppression };
			} catch (error) {
				// The permanent error among the "Errors" of SendEmail. All others depend on the account's state, and are transient
				// or can be fixed.
				return { notified: error instanceof BadRequestException ? 'refused' : 'failed', code: codeOf(error) };
			}
		},
	};
}

/** Sends once; once more if SES refused the signature alone, because then it has sent nothing. */
async function sendSigned(ses: SESv2Client, mail: SendEmailCommand): Promise<void> {
	const send = () => ses.send(mail, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
	try {
		await send();
	} catch (error) {
		if (!isSignatureRefusal(codeOf(error))) throw error;
		await send();
	}
}

/**
 * Asks why an address is on the account's suppression list; null: it is not. `unchecked`: the code of why we do not know. SES
 * ignores case when it sends and compares it when it is asked, so we ask for the lower case, too.
 */
function suppressionList(ses: SESv2Client) {
	return async (to: string): Promise<{ readonly reason: BlockReason } | { readonly unchecked: string } | null> => {
		const abortSignal = AbortSignal.timeout(READING_MS);
		for (const EmailAddress of new Set([to, to.toLowerCase()])) {
			try {
				const answer = await ses.send(new GetSuppressedDestinationCommand({ EmailAddress }), { abortSignal });
				return { reason: answer.SuppressedDestination?.Reason === 'COMPLAINT' ? 'complaint' : 'bounce' };
			} catch (error) {
				if (!(error instanceof NotFoundException)) return { unchecked: codeOf(error) };
			}
		}
		return null;
	};
}
