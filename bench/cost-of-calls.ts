import { API_MEMORY_MB, workerRows } from '../infra/workers.ts';
import type { CallCounts } from '../test/support/calls/metered-world.ts';
import { type Price, prices } from './prices.ts';

/**
 * Values that a run in virtual time cannot measure. Durations are those of warm functions at the deployed memory sizes; the
 * run measures everything else that the bill needs.
 */
export const assumptions = {
	/** Billed time of a request, with the share of cold starts: a few round trips to the store. */
	api_seconds: 0.012,
	/**
	 * Waiting time of a message: a dial waits for KMS and the provider, a delivery for the receiver, a timer for the store.
	 */
	waiting_seconds: {
		'dial-legs': 0.24,
		deliveries: 0.09,
		retries: 0.09,
		'hang-up-legs': 0.145,
		'call-timers': 0.008,
		'team-notices': 0.09,
	},
	/**
	 * Processor time of a message on one whole processor, measured around the workers of a metered call, plus 2 to 3 ms for
	 * TLS with provider or receiver.
	 */
	processor_seconds: {
		'dial-legs': 0.008,
		deliveries: 0.006,
		retries: 0.006,
		'hang-up-legs': 0.003,
		'call-timers': 0.003,
		'team-notices': 0.006,
	},
	/** The same for a look-up, which waits for the provider. */
	look_up_seconds: 0.1,
	/** Messages in a batch: received, processed and deleted together. */
	messages_of_a_batch: 2,
	/** Share of invocations that start cold and request their keys from KMS. */
	cold_share: 0.01,
	/** Bytes, with headers, of a dial or look-up to the provider and of a webhook to a receiver. */
	asked_bytes: 1200,
	/** The widget's script and its panel, with their headers; a page view without a call loads the script alone. */
	script_files: 2,
	script_bytes: 10_000,
	/** Retention of logs, months. */
	log_months: 3,
} as const;

const worked = {
	'dial-legs': workerRows['dial-leg'].memory_mb,
	'hang-up-legs': workerRows['hang-up-leg'].memory_mb,
	'call-timers': workerRows['call-timer'].memory_mb,
	deliveries: workerRows['deliver-webhook'].memory_mb,
	retries: workerRows['deliver-webhook'].memory_mb,
	'team-notices': workerRows['notify-team'].memory_mb,
} as const;
type WorkQueue = keyof typeof worked;

/** One item of a bill: the quantity that one call uses, and the cost for a million calls. */
export type Line = { readonly what: string; readonly amount: number; readonly of: string; readonly dollars: number };

const CALLS = 1_000_000;
const GB = 1e9;
const MB_OF_A_GB = 1024;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const messagesOf = (counts: CallCounts): number => sum(Object.values(counts.messages));
export const requestsOf = (counts: CallCounts): number => sum(Object.values(counts.requests));

/** Memory, in MB, at which Lambda gives one whole processor. */
const MB_OF_A_PROCESSOR = 1769;

/** Billed time of a message, at the memory of its worker. */
function secondsOf(name: WorkQueue): number {
	const slower = Math.max(1, MB_OF_A_PROCESSOR / worked[name]);
	return assumptions.waiting_seconds[name] + assumptions.processor_seconds[name] * slower;
}

/** GB-seconds of the workers. */
function workerGbSeconds({ messages, provider }: CallCounts): number {
	const queues = Object.keys(worked).filter((name): name is WorkQueue => name in worked);
	const bySize = queues.map((name) => (messages[name] ?? 0) * secondsOf(name) * worked[name]);
	// One look-up asks about both legs of a conversation.
	const asking = (provider.lookup / 2) * assumptions.look_up_seconds * worked['call-timers'];
	return (sum(bySize) + asking) / MB_OF_A_GB;
}

/** The bill for a million calls, item by item. `batch`: messages that are received and deleted together. */
export function costOfAMillion(counts: CallCounts, batch: number = assumptions.messages_of_a_batch): readonly Line[] {
	const a = assumptions;
	const requests = requestsOf(counts);
	const watched = counts.requests['watch-call'] ?? 0;
	const minutes = Math.ceil(counts.watched_ms / 60_000);
	const messages = messagesOf(counts);
	const gb_seconds = (requests * a.api_seconds * API_MEMORY_MB) / MB_OF_A_GB + workerGbSeconds(counts);
	// The run counts the requests that send messages; each batch needs one more to receive it and one to delete it.
	const taken = (of: number): number => (2 * of) / batch;
	const asked = sum(Object.values(counts.provider)) + (counts.messages.deliveries ?? 0);
	const out = counts.answer_bytes + asked * a.asked_bytes;
	const logged = (counts.log_bytes + counts.access_log_bytes) / GB;
	const line = (what: string, amount: number, price: Price): Line => {
		return { what, amount, of: price.of, dollars: amount * price.dollars * CALLS };
	};
	return [
		line('DynamoDB, writes', counts.written, prices.write_unit),
		line('DynamoDB, reads', counts.read, prices.read_unit),
		line('DynamoDB, kept a month', counts.kept_bytes / GB, prices.stored_gb_month),
		line('DynamoDB, point-in-time recovery', counts.kept_bytes / GB, prices.recovery_gb_month),
		line('API Gateway', requests - watched, prices.api_request),
		line('API Gateway, pages shown the end', counts.shown, prices.live_message),
		line('API Gateway, pages connected', minutes, prices.live_minute),
		line('Lambda, requests', requests + messages / batch, prices.lambda_request),
		line('Lambda, time', gb_seconds, prices.lambda_gb_second),
		line('SQS', counts.sends + taken(messages), prices.sqs_request),
		line('SQS, fair queues', counts.grouped_sends + taken(counts.grouped_messages), prices.sqs_fair_request),
		line('KMS, numbers opened', counts.openings, prices.kms_rsa_2048),
		line('KMS, keys of cold functions', counts.cold_keys * a.cold_share, prices.kms_request),
		line("Logs, the functions'", counts.log_bytes / GB, prices.log_gb),
		line("Logs, the gateway's", counts.access_log_bytes / GB, prices.log_gb),
		line('Logs, kept', logged * a.log_months, prices.log_gb_month),
		line('SES', counts.mails, prices.mail),
		line('CloudFront, the script', a.script_files, prices.cdn_request),
		line('CloudFront, its bytes', a.script_bytes / GB, prices.cdn_gb),
		line('data out', out / GB, prices.out_gb),
	];
}

export const total = (lines: readonly Line[]): number => sum(lines.map(({ dollars }) => dollars));
