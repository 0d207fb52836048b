import {
	GetSuppressedDestination$,
	type GetSuppressedDestinationCommand,
	SendEmail$,
	type SendEmailCommand,
} from '@aws-sdk/client-sesv2';
import { AwsRestJsonProtocol } from '@aws-sdk/core/protocols';
import type { BlockReason } from '../../domain/notices/blocked-address.ts';
import { mailboxOf } from '../../domain/workspaces/email-address.ts';
import type { AwsEnv } from '../../env.ts';
import type { TeamMessage, TeamNotifier } from '../../ports/team-notifier.ts';
import { teamMail } from '../../presentation/team-mail.ts';
import { type AwsClient, type AwsResult, awsClient, type Budget, sendToAws } from './client/client.ts';
import { isSignatureRefusal } from './client/failure.ts';
import { restJson } from './client/json.ts';
import { operation } from './client/operation.ts';

export const sendEmail = operation<SendEmailCommand>(SendEmail$);
export const getSuppressedDestination = operation<GetSuppressedDestinationCommand>(GetSuppressedDestination$);

const TIMEOUT_MS = 10_000;
/** For each look into the suppression list. A mail may need two looks, so none waits longer. */
const READING: Budget = { tries: 3, try_ms: 1500, total_ms: 1500 };
/** The account has sent SES too many requests. */
const THROTTLED = 'TooManyRequestsException';

/** As the SDK's SESv2Client is configured (its `runtimeConfig.shared`, which it does not export), without the errors' fields. */
export const sesProtocol = () =>
	new AwsRestJsonProtocol({ defaultNamespace: 'com.amazonaws.sesv2', jsonCodec: restJson() });

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** Tells programs that answer mails automatically not to answer (RFC 3834 section 5). */
const AUTOMATIC = [{ Name: 'Auto-Submitted', Value: 'auto-generated' }];
/**
 * The headers of a mail. A person is to answer a callback request or a missed call, but help desks drop mails that are marked
 * as automatic (Zendesk and osTicket also by X-Auto-Response-Suppress), so these two have no mark.
 */
const headersOf = (message: TeamMessage) => ('lead' in message || 'calls' in message ? {} : { Headers: AUTOMATIC });

/**
 * The address that answers go to, instead of the sender; none if it is the recipient, because help desks take that for a
 * loop.
 */
function replyTo(message: TeamMessage): { readonly ReplyToAddresses?: [string] } {
	const teamEmail = 'desk_link' in message ? message.team_email : null;
	if (teamEmail === null || isSameMailbox(teamEmail, message.to)) return {};
	return { ReplyToAddresses: [teamEmail] };
}
const isSameMailbox = (one: string, other: string): boolean =>
	mailboxOf(one).toLowerCase() === mailboxOf(other).toLowerCase();

type SesEnv = AwsEnv & { readonly AWS_ENDPOINT_URL_SESV2?: string | undefined };

/**
 * Sends mail through Amazon SES (API version 2, SendEmail), from a verified identity. If a response is lost, the message
 * may have been sent, and SES does not detect duplicates: so there is one try each. SES accepts a message to an address on the
 * account's suppression list and sends nothing, so we read the list first; if it cannot be read, we send.
 */
export function sesNotifier(from: string, env: SesEnv): TeamNotifier {
	const endpoint = env.AWS_ENDPOINT_URL_SESV2;
	const ses = awsClient({ name: 'ses', host: 'email', endpoint, protocol: sesProtocol() }, env);
	return {
		async tell(message) {
			const suppression = await suppressionOf(ses, message.to);
			if (suppression !== null && 'reason' in suppression) return { notified: 'blocked', ...suppression };
			const { subject, text, html } = teamMail(message);
			const result = await sendSigned(ses, {
				FromEmailAddress: from,
				Destination: { ToAddresses: [message.to] },
				...replyTo(message),
				Content: {
					Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) }, ...headersOf(message) },
				},
			});
			if (result.outcome === 'ok') return { notified: 'sent', ...suppression };
			// The permanent error among the "Errors" of SendEmail. All others depend on the account's state, and are transient
			// or can be fixed.
			const isPermanent = result.outcome === 'refused' && result.code === 'BadRequestException';
			return { notified: isPermanent ? 'refused' : 'failed', code: result.code };
		},
	};
}

/** Sends once. If SES refused only the signature, it has sent nothing, so it is sent once more. */
async function sendSigned(ses: AwsClient, mail: SendEmailCommand['input']): Promise<AwsResult<unknown>> {
	const send = () => ses.send(sendEmail, mail, TIMEOUT_MS);
	const result = await send();
	return result.outcome === 'refused' && isSignatureRefusal(result.code) ? send() : result;
}

/**
 * Asks why an address is on the account's suppression list; null: it is not. `unchecked`: why we do not know, as a code. SES
 * ignores case when it sends but not in this look-up, so we ask for the lower case, too.
 */
async function suppressionOf(
	ses: AwsClient,
	to: string,
): Promise<{ readonly reason: BlockReason } | { readonly unchecked: string } | null> {
	for (const EmailAddress of new Set([to, to.toLowerCase()])) {
		const isThrottled = ({ code }: { readonly code: string }) => code === THROTTLED;
		const result = await sendToAws(ses, getSuppressedDestination, { EmailAddress }, READING, isThrottled);
		if (result.outcome === 'ok') {
			return { reason: result.output.SuppressedDestination?.Reason === 'COMPLAINT' ? 'complaint' : 'bounce' };
		}
		if (result.outcome === 'unclear' || result.code !== 'NotFoundException') return { unchecked: result.code };
	}
	return null;
}
