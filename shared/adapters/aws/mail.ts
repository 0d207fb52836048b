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
/**
 * How long one look-up in the suppression list may take. The time is short, because a mail may need two look-ups (the
 * second in lower case).
 */
const READING: Budget = { tries: 3, try_ms: 1500, total_ms: 1500 };
/** SES's code if the account has sent too many requests. */
const THROTTLED = 'TooManyRequestsException';

/**
 * The protocol settings of the SDK's SESv2Client, which does not export them (`runtimeConfig.shared`). We leave out
 * `errorTypeRegistries`, because we do not read the fields of errors.
 */
export const sesProtocol = () =>
	new AwsRestJsonProtocol({ defaultNamespace: 'com.amazonaws.sesv2', jsonCodec: restJson() });

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** If a mail has this header, programs that answer mails automatically do not answer the mail (RFC 3834 section 5). */
const AUTOMATIC = [{ Name: 'Auto-Submitted', Value: 'auto-generated' }];
/**
 * The headers of a mail. Mails about a callback request or a missed call are not marked as automatic, because a person
 * should see these mails, and help desks drop mails that are marked as automatic. No mail has the header
 * X-Auto-Response-Suppress, because Zendesk and osTicket drop mails with it.
 */
const headersOf = (message: TeamMessage) => ('lead' in message || 'calls' in message ? {} : { Headers: AUTOMATIC });

/**
 * The Reply-To header of a mail. Only a mail that contains a link to the desk has one: the team's address, if the team has an
 * address. If the mail itself goes to this address, it has no Reply-To header, because help desks take such a mail for a loop.
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
 * Sends mail through Amazon SES (API version 2, SendEmail), from a verified identity. Each mail is tried once, because a
 * mail may have been sent although its response was lost, and SES does not detect duplicates. If an address is on the
 * account's suppression list, SES accepts the mail but sends nothing. So the list is read first; if it cannot be read, the
 * mail is sent.
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
			// BadRequestException is the only permanent error that SendEmail documents. All other errors depend on the
			// state of the account: they go away by themselves, or an operator can fix them.
			const isPermanent = result.outcome === 'refused' && result.code === 'BadRequestException';
			return { notified: isPermanent ? 'refused' : 'failed', code: result.code };
		},
	};
}

/** Sends a mail. If SES refuses only the signature, SES has sent nothing, so this function sends the mail once more. */
async function sendSigned(ses: AwsClient, mail: SendEmailCommand['input']): Promise<AwsResult<unknown>> {
	const send = () => ses.send(sendEmail, mail, TIMEOUT_MS);
	const result = await send();
	return result.outcome === 'refused' && isSignatureRefusal(result.code) ? send() : result;
}

/**
 * Why an address is on the account's suppression list. Null if the address is not on the list. If the list could not be
 * read, `unchecked` is AWS's error code. SES ignores upper and lower case when it sends, but not when it reads the list, so
 * the address is also looked up in lower case.
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
