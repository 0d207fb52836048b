import { BadRequestException, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { AwsEnv } from '../../env.ts';
import type { TeamNotifier } from '../../ports/team-notifier.ts';
import { teamMail } from '../../presentation/team-mail.ts';
import { plainConfig } from './client/account.ts';
import { codeOf } from './client/failure.ts';

const TIMEOUT_MS = 10_000;

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** Programs that answer mails by themselves leave these alone (RFC 3834 section 5). */
const HEADERS = [{ Name: 'Auto-Submitted', Value: 'auto-generated' }];

/**
 * Sends mail through Amazon SES (API version 2, SendEmail), from a verified identity. If a response is lost, the message
 * may have been sent, and SES does not detect duplicates: so there is one try each. Answers go to the workspace's
 * team. It uses the SDK's own client, because
 * no request waits for it.
 */
export function sesNotifier(
	from: string,
	env: AwsEnv & { readonly AWS_ENDPOINT_URL_SESV2?: string | undefined },
): TeamNotifier {
	const ses = new SESv2Client({ ...plainConfig(env.AWS_ENDPOINT_URL_SESV2, env), maxAttempts: 1 });
	return {
		async tell(message) {
			const { subject, text, html } = teamMail(message);
			const reply_to = 'desk_link' in message ? message.team_email : message.to;
			const mail = new SendEmailCommand({
				FromEmailAddress: from,
				Destination: { ToAddresses: [message.to] },
				...(reply_to !== null && { ReplyToAddresses: [reply_to] }),
				Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) }, Headers: HEADERS } },
			});
			try {
				await ses.send(mail, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
				return { notified: 'sent' };
			} catch (error) {
				// The permanent error among the "Errors" of SendEmail. All others depend on the account's state, and are transient
				// or can be fixed.
				return { notified: error instanceof BadRequestException ? 'refused' : 'failed', code: codeOf(error) };
			}
		},
	};
}
