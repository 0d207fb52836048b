import type { NotifyOutcome, TeamNotifier } from '../../ports/team-notifier.ts';
import { type AwsAnswer, type AwsEnv, awsRestPost } from './json-client.ts';

type Text = { readonly Data: string; readonly Charset: 'UTF-8' };
type SendEmail = {
	readonly FromEmailAddress: string;
	readonly Destination: { readonly ToAddresses: readonly string[] };
	readonly Content: {
		readonly Simple: { readonly Subject: Text; readonly Body: { readonly Text: Text; readonly Html?: Text } };
	};
};
type Sent = { readonly MessageId?: string };

const TIMEOUT_MS = 10_000;

/** "Errors" of SendEmail: what no repetition cures. All else is the account's state, and passes or is repaired. */
const final: ReadonlySet<string> = new Set(['BadRequestException']);

const utf8 = (Data: string): Text => ({ Data, Charset: 'UTF-8' });

/**
 * Mail by Amazon SES (API version 2, SendEmail), from an identity that is verified there. A message whose answer was
 * lost may have been sent: SES does not know repetitions.
 */
export function sesNotifier(
	from: string,
	env: AwsEnv & { readonly AWS_ENDPOINT_URL_SESV2?: string | undefined },
): TeamNotifier {
	const endpoint = env.AWS_ENDPOINT_URL_SESV2;
	const service = { name: 'ses', host: 'email', path: '/v2/email/outbound-emails', endpoint };
	const post = awsRestPost<SendEmail, Sent>(service, env);
	return {
		async send({ to, subject, text, html }) {
			const Body = { Text: utf8(text), ...(html !== undefined && { Html: utf8(html) }) };
			const message: SendEmail = {
				FromEmailAddress: from,
				Destination: { ToAddresses: [to] },
				Content: { Simple: { Subject: utf8(subject), Body } },
			};
			return outcomeOf(await post(message, TIMEOUT_MS));
		},
	};
}

function outcomeOf(answer: AwsAnswer<Sent, unknown>): NotifyOutcome {
	if (answer.answer === 'ok') return { notified: 'sent' };
	const { code } = answer;
	return { notified: answer.answer === 'refused' && final.has(code) ? 'refused' : 'failed', code };
}
