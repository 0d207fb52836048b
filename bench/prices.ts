/**
 * Public prices of us-east-1 in US dollars, on demand, without the free tier, as known then. AWS's pricing page of the
 * service named beside each has the present one: look them up before they are relied on.
 */
export const PRICES_OF = '2026-11-21';

const MILLION = 1_000_000;

export const prices = {
	/** Amazon API Gateway, HTTP APIs, first 300 million a month; each 512 KB begun is one. */
	api_request: 1.0 / MILLION,
	/** AWS Lambda, requests. */
	lambda_request: 0.2 / MILLION,
	/** AWS Lambda, Arm, first 7.5 billion GB-seconds a month. */
	lambda_gb_second: 0.0000133334,
	/** Amazon DynamoDB, on-demand, standard table class. */
	write_unit: 0.625 / MILLION,
	read_unit: 0.125 / MILLION,
	/** Amazon DynamoDB, storage a GB-month. */
	stored_gb_month: 0.25,
	/** Amazon SQS, standard queues, first 100 billion a month; up to ten messages are one request. */
	sqs_request: 0.4 / MILLION,
	/** AWS KMS, asymmetric requests with RSA_2048. */
	kms_rsa_2048: 0.03 / 10_000,
	/** Amazon CloudWatch Logs, ingestion a GB, standard class. */
	log_gb: 0.5,
	/** Amazon CloudWatch Logs, archive a GB-month. */
	log_gb_month: 0.03,
	/** Data transfer out to the internet, a GB, first 10 TB a month. */
	out_gb: 0.09,
} as const;
