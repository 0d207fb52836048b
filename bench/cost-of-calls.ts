import type { QueueName } from '../shared/ports/queues.ts';
import type { CallUnits } from '../test/support/calls/metered-call.ts';
import { prices } from './prices.ts';

/**
 * What happens around one call, besides what the table meters: the metered call (18 s until connected, a minute's
 * talk) as the widget and a provider see it.
 */
export const traffic = {
	/** The widget's configuration, the preflight, the request itself. */
	opening: 3,
	/** `poll_after_ms`: each 1.5 s for 18 s, each 10 s for 60 s, and the last. */
	polls: 12 + 6 + 1,
	/** Ringing, answered, ended of two legs; what to do next: agent answered, agent pressed 1, visitor answered. */
	callbacks: 6 + 3,
	/** A poll reads the call and its workspace; so do other requests that the metered call does not contain. */
	reads_of_a_request: 2,
	/** Billed time of a request, with the share of cold starts: a few round trips to the store. */
	api_seconds: 0.012,
	/** The same of a message: a dial waits for the provider, a delivery for the receiver, a timer for one read. */
	message_seconds: {
		'dial-legs': 0.25,
		deliveries: 0.1,
		retries: 0.1,
		'hang-up-legs': 0.15,
		'call-timers': 0.012,
		'team-notices': 0.1,
		'dead-letters': 0,
	} satisfies Readonly<Record<QueueName, number>>,
	/** As the stack sets it. */
	memory_gb: 1,
	/** Send, receive, delete; few are alone in their batch when there are many. */
	requests_of_a_message: 3,
	messages_of_a_batch: 2,
	/** One line for a request or a message, as CloudWatch counts it. */
	log_line_bytes: 330,
	/** Kept in the table a month: call, events, deliveries, consent. */
	kept_bytes: 6000,
	/** Answers to the widget, instructions, webhooks, with headers. */
	out_bytes: 31 * 700 + 4 * 1200,
	/** Retention of logs, months. */
	log_months: 3,
} as const;

export type Line = { readonly what: string; readonly amount: string; readonly dollars: number };

const CALLS = 1_000_000;
const queueNames = ['dial-legs', 'deliveries', 'retries', 'hang-up-legs', 'call-timers', 'team-notices'] as const;
const GB = 1e9;

/** The bill for a million calls, line by line. */
export function costOfAMillion(units: CallUnits): readonly Line[] {
	const t = traffic;
	const queues = queueNames.map((name) => ({ sent: units.messages[name] ?? 0, seconds: t.message_seconds[name] }));
	const messages = queues.reduce((sum, { sent }) => sum + sent, 0);
	const requests = t.opening + t.polls + t.callbacks;
	const { 'call-timers': timers = 0, 'dial-legs': dials = 0 } = units.messages;
	// A timer reads its call; the metered call is over before they come.
	const reads = units.read + (t.polls + t.opening) * t.reads_of_a_request + timers;
	const invocations = requests + messages / t.messages_of_a_batch;
	const worker_seconds = queues.reduce((sum, { sent, seconds }) => sum + sent * seconds, 0);
	const gb_seconds = (requests * t.api_seconds + worker_seconds) * t.memory_gb;
	const sqs = (messages * t.requests_of_a_message) / t.messages_of_a_batch;
	const log_gb = ((requests + messages) * t.log_line_bytes) / GB;
	const line = (what: string, each: number, unit: string, price: number): Line => {
		return { what, amount: `${each.toPrecision(3)} ${unit}`, dollars: each * price * CALLS };
	};
	return [
		line('DynamoDB, writes', units.written, 'units', prices.write_unit),
		line('DynamoDB, reads', reads, 'units', prices.read_unit),
		line('DynamoDB, kept a month', t.kept_bytes / GB, 'GB', prices.stored_gb_month),
		line('API Gateway', requests, 'requests', prices.api_request),
		line('Lambda, requests', invocations, 'requests', prices.lambda_request),
		line('Lambda, time', gb_seconds, 'GB-s', prices.lambda_gb_second),
		line('SQS', sqs, 'requests', prices.sqs_request),
		line('KMS, opening numbers', dials, 'requests', prices.kms_rsa_2048),
		line('CloudWatch Logs', log_gb, 'GB', prices.log_gb + t.log_months * prices.log_gb_month),
		line('data out', t.out_bytes / GB, 'GB', prices.out_gb),
	];
}

export const total = (lines: readonly Line[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0);
