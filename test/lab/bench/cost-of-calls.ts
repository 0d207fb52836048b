import { API_MEMORY_MB, type FunctionFacts, workerRows } from '../../../infra/workers.ts';
import { DEADLINE_SECONDS } from '../../../shared/domain/calls/deadlines.ts';
import { pollInterval } from '../../../shared/domain/calls/poll-interval.ts';
import { type CallUsage, countUsage, type Queue } from '../../support/stack/call-usage.ts';
import { type Row, row, type Section } from './row.ts';

/**
 * Public prices of us-east-1 in US dollars, on demand, without the free tier, on 2026-11-22. The prices of a service are at
 * `https://aws.amazon.com/<service>/pricing/`. Look them up again before you rely on them.
 */
const M = 1_000_000;
const GB = 1e9;
const prices = {
	'api-gateway': { request: 1 / M },
	lambda: { request: 0.2 / M, gb_second: 0.0000133334 },
	'dynamodb/on-demand': { write: 0.625 / M, read: 0.125 / M, kept_and_backed_up_gb_month: 0.25 + 0.2 },
	sqs: { request: 0.4 / M, fair_request: 0.1 / M },
	kms: { request: 0.03 / 10_000 },
	cloudwatch: { gb: 0.5, gb_month: 0.03 },
	cloudfront: { request: 0.01 / 10_000, gb: 0.085 },
	'ec2/on-demand': { out_gb: 0.09 },
} as const;

/** Values that a run on one machine cannot measure. Durations are those of warm functions with the deployed memory sizes. */
const assumed = {
	/** Seconds from the request until two people talk, and the number of timers of a call until then. */
	set_up_s: 18,
	set_up_timers: 4,
	/** Requests of the widget apart from its polls (configuration, preflight, the call), plus callbacks of the provider. */
	requests: 3 + 6,
	/** Billed seconds of one API request. */
	api_s: 0.012,
	/** How many messages SQS passes to a function at a time. */
	batch: 2,
	/** Capacity units of a timer that finds nothing to do and only writes the time of the next one. */
	timer: { written: 3, read: 1.5 },
	/** Bytes of a call's records, and of a delivery with its event, weighted by the part of a month for which they are kept. */
	kept: { call: 6900, delivery: 900 },
	/** Bytes of one line in the gateway's log, of one response, and of one request to the provider or a receiver. */
	bytes: { access_log: 220, answer: 600, asked: 1200 },
	log_months: 3,
	/** The widget's script and the script of its panel. */
	script: { files: 2, bytes: 10_000 },
} as const;

/** The memory size in MB at which a function gets one whole processor. */
const WHOLE_PROCESSOR_MB = 1769;

/**
 * GB-seconds of one message. The function waits `waitingSeconds` for KMS, the provider, the receiver or the table, and needs
 * `processorSeconds` of a whole processor.
 */
function gbSeconds({ memory_mb }: FunctionFacts, waitingSeconds: number, processorSeconds: number): number {
	return ((waitingSeconds + processorSeconds * Math.max(1, WHOLE_PROCESSOR_MB / memory_mb)) * memory_mb) / 1024;
}
const GB_SECONDS: Readonly<Record<Queue, number>> = {
	diallegs: gbSeconds(workerRows['dial-leg'], 0.24, 0.008),
	hanguplegs: gbSeconds(workerRows['hang-up-leg'], 0.145, 0.003),
	calltimers: gbSeconds(workerRows['call-timer'], 0.008, 0.003),
	deliveries: gbSeconds(workerRows['deliver-webhook'], 0.09, 0.006),
};

/** How often a page polls if the visitor does nothing on it, at the pace that the API asks for. */
export function pollsOf(talkMinutes: number): number {
	const connectedMs = assumed.set_up_s * 1000;
	const endMs = connectedMs + talkMinutes * 60_000;
	const created_at = new Date(0).toISOString();
	let polls = 0;
	for (let now_ms = 0; now_ms < endMs; polls += 1) {
		const talks = now_ms >= connectedMs;
		const connected_at = talks ? new Date(connectedMs).toISOString() : null;
		const status = talks ? 'connected' : 'ringing';
		now_ms += pollInterval({ status, created_at, connected_at }, { now_ms, speed: 1 }) ?? endMs;
	}
	return polls;
}

/** One item of a bill, with the dollars for a million calls. */
type Line = { readonly what: string; readonly dollars: number };

/** The bill for a million calls that use as much as this call, and in which people talk this long. */
export function costOfAMillion(use: CallUsage, talkMinutes: number): readonly Line[] {
	const { bytes, batch, kept, script, timer } = assumed;
	const polls = pollsOf(talkMinutes);
	const talkTimers = Math.floor((talkMinutes * 60) / DEADLINE_SECONDS.talking);
	// A simulated call is set up faster than a real one, so it has fewer timers. `moreTimers` adds the missing ones.
	const moreTimers = Math.max(0, assumed.set_up_timers - use.messages.calltimers) + talkTimers;
	const { diallegs, hanguplegs, calltimers, deliveries } = use.messages;
	const messageCount = diallegs + hanguplegs + calltimers + moreTimers + deliveries;
	const workedGbSeconds =
		diallegs * GB_SECONDS.diallegs +
		hanguplegs * GB_SECONDS.hanguplegs +
		(calltimers + moreTimers) * GB_SECONDS.calltimers +
		deliveries * GB_SECONDS.deliveries;
	const requests = assumed.requests + polls;
	const answeredGbSeconds = (requests * assumed.api_s * API_MEMORY_MB) / 1024;
	const read = use.read + polls * use.read_by_poll + moreTimers * timer.read;
	const asked = diallegs + hanguplegs + deliveries + 2 * talkTimers;
	const keptBytes = kept.call + kept.delivery * deliveries;
	const logged = use.log_bytes + requests * bytes.access_log;
	const { 'dynamodb/on-demand': dynamodb, lambda, sqs, cloudwatch, cloudfront } = prices;
	const line = (what: string, amount: number, price: number): Line => ({ what, dollars: amount * price * M });
	return [
		line('DynamoDB, writes', use.written + moreTimers * timer.written, dynamodb.write),
		line('DynamoDB, reads', read, dynamodb.read),
		line('DynamoDB, kept a month, with backup', keptBytes / GB, dynamodb.kept_and_backed_up_gb_month),
		line('API Gateway', requests, prices['api-gateway'].request),
		line('Lambda, requests', requests + messageCount / batch, lambda.request),
		line('Lambda, time', workedGbSeconds + answeredGbSeconds, lambda.gb_second),
		line('SQS', use.sends + moreTimers + (2 * messageCount) / batch, sqs.request),
		line('SQS, fair queues', deliveries * (1 + 2 / batch), sqs.fair_request),
		line('KMS, numbers opened', use.openings, prices.kms.request),
		line('logs', logged / GB, cloudwatch.gb + cloudwatch.gb_month * assumed.log_months),
		line('CloudFront, the script', script.files, cloudfront.request),
		line('CloudFront, its bytes', script.bytes / GB, cloudfront.gb),
		line('data out', (requests * bytes.answer + asked * bytes.asked) / GB, prices['ec2/on-demand'].out_gb),
	];
}

export const total = (lines: readonly Line[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0);

const TALK_MINUTES = [1, 3, 10] as const;

/** The usage of one call on the local stack, and the AWS cost of a million calls. The phone provider's cost comes on top. */
export const cost: Section = {
	name: 'cost',
	async run() {
		const { withOne, without } = await countUsage();
		const dollars = (what: string, goal: string, use: CallUsage, of: (bill: readonly Line[]) => number): Row => {
			const all = TALK_MINUTES.map((minutes) => of(costOfAMillion(use, minutes)).toFixed(2));
			return row(what, goal, `${all.join(', ')} dollars`);
		};
		const units = (of: 'written' | 'read'): string => `${withOne[of]} / ${without[of]}`;
		return [
			row('write units of a call with 4 events: 1 endpoint / none', '', units('written')),
			row('read units of the same, without polls', '', units('read')),
			dollars('a million calls with 1, 3, 10 minutes, 1 endpoint', '178, -, 243', withOne, total),
			...costOfAMillion(withOne, 1).map(({ what }, n) =>
				dollars(`  ${what}`, '', withOne, (bill) => bill[n]?.dollars ?? 0),
			),
			dollars('the same without an endpoint', '', without, total),
		];
	},
};
