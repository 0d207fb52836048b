/**
 * Public prices of us-east-1 in US dollars, on demand, without the free tier, as of `PRICES_OF`. Each names the page with
 * the current price: look it up there before you rely on it.
 */
export const PRICES_OF = '2026-11-22';

export type Price = {
	readonly dollars: number;
	/** The unit that costs this much. */
	readonly of: string;
	readonly source: string;
};

const MILLION = 1_000_000;
const page = (service: string): string => `https://aws.amazon.com/${service}/pricing/`;

export const prices = {
	/** HTTP APIs, first 300 million a month; each started 512 KB counts as one. */
	api_request: { dollars: 1.0 / MILLION, of: 'request', source: page('api-gateway') },
	/** WebSocket APIs, first billion a month; each started 32 KB counts as one. An opening is no message. */
	live_message: { dollars: 1.0 / MILLION, of: 'message', source: page('api-gateway') },
	live_minute: { dollars: 0.25 / MILLION, of: 'minute', source: page('api-gateway') },
	lambda_request: { dollars: 0.2 / MILLION, of: 'request', source: page('lambda') },
	/** Arm, first 7.5 billion GB-seconds a month. */
	lambda_gb_second: { dollars: 0.0000133334, of: 'GB-s', source: page('lambda') },
	/** Standard table class. */
	write_unit: { dollars: 0.625 / MILLION, of: 'unit', source: page('dynamodb/on-demand') },
	read_unit: { dollars: 0.125 / MILLION, of: 'unit', source: page('dynamodb/on-demand') },
	stored_gb_month: { dollars: 0.25, of: 'GB-month', source: page('dynamodb/on-demand') },
	/** Continuous backups (point-in-time recovery). */
	recovery_gb_month: { dollars: 0.2, of: 'GB-month', source: page('dynamodb/on-demand') },
	/** Standard queues, first 100 billion a month; up to ten messages of 64 KB in all are one request. */
	sqs_request: { dollars: 0.4 / MILLION, of: 'request', source: page('sqs') },
	/** Fair queues: an additional price for requests about messages with a MessageGroupId. */
	sqs_fair_request: { dollars: 0.1 / MILLION, of: 'request', source: page('sqs') },
	/** Asymmetric requests with RSA_2048. */
	kms_rsa_2048: { dollars: 0.03 / 10_000, of: 'request', source: page('kms') },
	/** Symmetric and HMAC keys. */
	kms_request: { dollars: 0.03 / 10_000, of: 'request', source: page('kms') },
	kms_key_month: { dollars: 1, of: 'key a month', source: page('kms') },
	/** Standard class; the gateway's access log counts as vended, at the same price for the first 10 TB. */
	log_gb: { dollars: 0.5, of: 'GB', source: page('cloudwatch') },
	log_gb_month: { dollars: 0.03, of: 'GB-month', source: page('cloudwatch') },
	mail: { dollars: 0.1 / 1000, of: 'mail', source: page('ses') },
	/** HTTPS requests from the United States. */
	cdn_request: { dollars: 0.01 / 10_000, of: 'request', source: page('cloudfront') },
	/** To viewers in the United States, first 10 TB a month. */
	cdn_gb: { dollars: 0.085, of: 'GB', source: page('cloudfront') },
	/** To the internet, first 10 TB a month. */
	out_gb: { dollars: 0.09, of: 'GB', source: page('ec2/on-demand') },
} as const satisfies Readonly<Record<string, Price>>;
