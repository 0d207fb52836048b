import { Aws } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

// Addresses of pages in AWS's console for the stack's region. AWS does not document these addresses. The form of the link to a
// query was taken, on 2026-11-29, from several open-source tools that write such links. No link contains a character at which a
// mail program would end the link.

const pageOf = (service: string, path: string): string =>
	`https://${Aws.REGION}.console.aws.amazon.com/${service}/home?region=${Aws.REGION}#${path}`;

/** In these links, a tilde, a quote and brackets are encoded twice, with `$` in place of `%`. */
const TILDE = '$257E';
const QUOTE = '$2527';
const OPEN = '$2528';
const CLOSE = '$2529';
/** Encodes a value of these links. In a value, `*` replaces the `%` of the URL encoding. */
const encoded = (text: string): string =>
	encodeURIComponent(text)
		.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
		.replaceAll('%', '*');

/**
 * A link that opens Logs Insights with a query over the last `hours` hours. `groups` are the names of log groups, without
 * slashes or with each slash as `*2F`.
 */
export function queryLink(text: string, groups: readonly string[], hours: number): string {
	const detail = [
		`end${TILDE}0`,
		`start${TILDE}-${hours * 3600}`,
		`timeType${TILDE}${QUOTE}RELATIVE`,
		`unit${TILDE}${QUOTE}seconds`,
		`editorString${TILDE}${QUOTE}${encoded(text)}`,
		`source${TILDE}${OPEN}${groups.map((group) => `${TILDE}${QUOTE}${group}`).join('')}${CLOSE}`,
	];
	const query = `${TILDE}${OPEN}${detail.join(TILDE)}${CLOSE}`;
	return pageOf('cloudwatch', `logsV2:logs-insights$3FqueryDetail$3D${query}`);
}

export const queueLink = ({ queueName }: Pick<IQueue, 'queueName'>): string =>
	pageOf('sqs/v3', `/queues/https%3A%2F%2Fsqs.${Aws.REGION}.${Aws.URL_SUFFIX}%2F${Aws.ACCOUNT_ID}%2F${queueName}`);

export const functionLink = ({ functionName }: Pick<IFunction, 'functionName'>): string =>
	pageOf('lambda', `/functions/${functionName}?tab=monitoring`);

export const functionsLink = (): string => pageOf('lambda', '/functions');

export const tableLink = (tableName: string): string => pageOf('dynamodbv2', `table?name=${tableName}&tab=monitoring`);
