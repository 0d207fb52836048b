import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { readJsonLines } from '../json-lines.ts';
import type { MailResponse, SentMail } from './mail.ts';
import { type SuppressionList, suppressionList } from './suppression-list.ts';

// A stand-in for the part of Amazon SES (API version 2) that the product uses. This stand-in sends no mail. The console
// shows the mails that SES would have delivered.

const Text = z.object({ Data: z.string() });
const SendEmail = z.object({
	FromEmailAddress: z.string(),
	Destination: z.object({ ToAddresses: z.array(z.string()).check(z.minLength(1)) }),
	ReplyToAddresses: z._default(z.array(z.string()), []),
	Content: z.object({
		Simple: z.object({
			Subject: Text,
			Body: z.object({ Text: z.optional(Text), Html: z.optional(Text) }),
			Headers: z._default(z.array(z.object({ Name: z.string(), Value: z.string() })), []),
		}),
	}),
});

export type Mailbox = {
	send(input: unknown): MailResponse;
	readonly suppressions: SuppressionList;
	addressesOf(input: unknown): { readonly sender: string; readonly recipients: readonly string[] };
	/** The mails, oldest first. */
	mails(): readonly SentMail[];
};

const SHOWN = 500;
const MALFORMED: MailResponse = {
	status: 400,
	error_type: 'BadRequestException',
	body: { message: 'Missing or malformed member' },
};

/** The mails of the local stack. The mails are stored in a file, so that they are still there after a restart. */
export function openMailbox(file: string): Mailbox {
	const all: SentMail[] = readJsonLines(file, 'id', SHOWN);
	const suppressions = suppressionList();
	return {
		send(input) {
			const request = SendEmail.safeParse(input);
			if (!request.success) return MALFORMED;
			const { FromEmailAddress: from, Destination, ReplyToAddresses: reply_to, Content } = request.data;
			const to = Destination.ToAddresses[0] ?? '';
			const { Subject, Body, Headers } = Content.Simple;
			const text = Body.Text?.Data ?? '';
			const html = Body.Html?.Data ?? null;
			const mail = {
				id: randomUUID(),
				received_at: new Date().toISOString(),
				from,
				to,
				reply_to,
				headers: Headers.map(({ Name, Value }) => `${Name}: ${Value}`),
				subject: Subject.Data,
				text,
				html,
			};
			const answer = { status: 200, error_type: null, body: { MessageId: mail.id } };
			// SES accepts a mail even if it will not deliver the mail.
			if (!suppressions.delivers(to)) return answer;
			appendFileSync(file, `${JSON.stringify(mail)}\n`, { mode: 0o600 });
			all.push(mail);
			if (all.length > SHOWN) all.shift();
			return answer;
		},
		suppressions,
		addressesOf(input) {
			const mail = SendEmail.safeParse(input).data;
			return { sender: mail?.FromEmailAddress ?? '', recipients: mail?.Destination.ToAddresses ?? [] };
		},
		mails: () => all,
	};
}
