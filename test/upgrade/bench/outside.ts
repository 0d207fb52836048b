import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Mailbox } from '../../../local/aws/mailbox.ts';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import type { WebhookRequest } from '../../../shared/ports/webhook-sender.ts';
import { serve } from './machine.ts';
import { present, receivers } from './parts.ts';

// The systems around the service: SQS, the phone network and the receivers of webhooks. They record what reaches them.

/** Something that the service sent to the outside, as the other side received it. */
export type Effect =
	| {
			readonly effect: 'dial';
			readonly role: string;
			readonly to: string;
			readonly from: string | null;
			readonly leg_path: string;
	  }
	/** A dial at Twilio or Telnyx. */
	| { readonly effect: 'dial by REST'; readonly fields: Readonly<Record<string, string>> }
	| { readonly effect: 'hang up'; readonly provider_id: string }
	| {
			readonly effect: 'post';
			readonly url: string;
			readonly body: string;
			readonly headers: WebhookRequest['headers'];
	  }
	| { readonly effect: 'mail'; readonly to: string };

export type Message = { readonly queue: string; readonly body: string; readonly due_ms: number };
/** A dial as the simulated phone network received it. */
export const Dial = z.object({
	leg_id: z.string(),
	call_id: z.string(),
	role: z.string(),
	to: z.string(),
	from: z.nullable(z.string()),
	callback_base: z.string(),
	leg_path: z.string(),
});
export type Dial = z.infer<typeof Dial>;

const Send = z.object({
	QueueUrl: z.string(),
	Entries: z.array(z.object({ Id: z.string(), MessageBody: z.string(), DelaySeconds: z.optional(z.number()) })),
});

const Receive = z.object({ QueueUrl: z.string(), MaxNumberOfMessages: z.optional(z.number()) });
const Delete = z.object({ ReceiptHandle: z.string() });
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** SQS. It keeps each message until the bench or an operator takes it. */
export async function startSqs(messages: Message[], sent: Message[]) {
	const held = new Set<string>();
	const receiptOf = ({ body, due_ms }: Message): string => `${due_ms} ${body}`;
	return serve(({ body, target }) => {
		const operation = target.split('.').at(-1);
		if (operation === 'ReceiveMessage') {
			const { QueueUrl, MaxNumberOfMessages = 1 } = Receive.parse(JSON.parse(body));
			const isVisible = (each: Message) => QueueUrl.endsWith(`/${each.queue}`) && !held.has(receiptOf(each));
			const taken = messages.filter(isVisible).slice(0, MaxNumberOfMessages);
			const Messages = taken.map((each) => {
				const Body = each.body;
				const ReceiptHandle = receiptOf(each);
				held.add(ReceiptHandle);
				const Attributes = { SentTimestamp: String(each.due_ms) };
				return { MessageId: ReceiptHandle, ReceiptHandle, Body, MD5OfBody: md5(Body), Attributes };
			});
			return { status: 200, body: Messages.length > 0 ? { Messages } : {} };
		}
		if (operation === 'DeleteMessage') {
			const { ReceiptHandle } = Delete.parse(JSON.parse(body));
			const at = messages.findIndex((each) => receiptOf(each) === ReceiptHandle);
			if (at >= 0) messages.splice(at, 1);
			return { status: 200 };
		}
		if (operation !== 'SendMessageBatch') return { status: 200 };
		const { QueueUrl, Entries } = Send.parse(JSON.parse(body));
		const queue = QueueUrl.split('/').at(-1) ?? '';
		for (const { MessageBody, DelaySeconds = 0 } of Entries) {
			const message = { queue, body: MessageBody, due_ms: present.now_ms + DelaySeconds * 1000 };
			messages.push(message);
			sent.push(message);
		}
		return { status: 200, body: { Successful: Entries.map(({ Id }) => ({ Id, MessageId: Id })), Failed: [] } };
	});
}

type DialAnswer = 'accept' | 'throttle' | 'refuse' | 'lose';

/** The phone network of the simulator. It accepts every dial unless `next` says otherwise. */
export async function startPhones(effects: Effect[]) {
	const dials: Dial[] = [];
	/** The answers to look-ups of legs, by leg id. For a leg without a report, the answer is that it does not exist. */
	const reports = new Map<string, object>();
	const next: DialAnswer[] = [];
	const statuses: Readonly<Record<DialAnswer, number>> = { accept: 201, throttle: 429, refuse: 400, lose: 500 };
	const server = await serve(({ method, path, body }) => {
		const [, , id = '', action] = path.split('/');
		if (method === 'POST' && id === '') {
			const dial = Dial.parse(JSON.parse(body));
			dials.push(dial);
			const { role, to, from, leg_path } = dial;
			effects.push({ effect: 'dial', role, to, from, leg_path });
			const status = statuses[next.shift() ?? 'accept'];
			return { status, body: status === 201 ? { provider_id: providerId(dial.leg_id) } : {} };
		}
		if (action === 'hangup') {
			effects.push({ effect: 'hang up', provider_id: decodeURIComponent(id) });
			return { status: 200 };
		}
		const report = reports.get(id);
		return report === undefined ? { status: 404 } : { status: 200, body: report };
	});
	return { ...server, dials, reports, next };
}

/** A mail service that delivers to the mailbox. It refuses mails while it is throttled. */
export function openMailService(mailbox: Mailbox) {
	let isThrottled = false;
	return {
		...mailbox,
		throttle(throttled: boolean): void {
			isThrottled = throttled;
		},
		send(input: unknown): ReturnType<Mailbox['send']> {
			if (!isThrottled) return mailbox.send(input);
			return {
				status: 429,
				error_type: 'TooManyRequestsException',
				body: { message: 'Maximum sending rate exceeded' },
			};
		},
	};
}

export const providerId = (legId: string): string => `sim-${legId}`;

/** The simulated phone network's complete report on a leg. */
export function reportOf(legId: string, fact: Partial<LegFact> & Pick<LegFact, 'rank'>, nowMs: number): object {
	const { rank, at = new Date(nowMs).toISOString(), cause = null } = fact;
	const { ringing_at = null, answered_at = null, accepted_at = null } = fact;
	return { provider_id: providerId(legId), state: rank, at, ringing_at, answered_at, accepted_at, cause };
}

const NOT_REACHED = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: 10 };
const timings = { dns_ms: 1.5, connect_ms: 2, tls_ms: 3, first_byte_ms: 4, total_ms: 10.5 };

/** Receivers of webhooks and chat messages. The path of a receiver's URL says how it responds. */
export function openReceivers(effects: Effect[], onDeath: () => void) {
	/** Acts as if the function had died while it was sending: the delivery or the notice keeps its lease. */
	const die = () => {
		onDeath();
		return new Promise<never>(() => undefined);
	};
	/** Some URLs do not decide the response by their own path. This map has the path that decides instead. */
	const answers = new Map<string, string>();
	receivers.send = async ({ url, headers, body }) => {
		effects.push({ effect: 'post', url, body, headers });
		const path = answers.get(url) ?? new URL(url).pathname;
		if (path === '/dies') return die();
		const status = Number(/^\/(\d{3})/.exec(path)?.[1] ?? 0);
		if (status === 0)
			return { kind: 'failure', error: 'connect_refused', hint: 'Nothing listens there.', timings: NOT_REACHED };
		const tooMuch: Record<string, string> = status === 429 ? { 'retry-after': '120' } : {};
		return { kind: 'response', status, headers: tooMuch, body: `answer ${status}`, timings };
	};
	return answers;
}
