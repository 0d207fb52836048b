// Uses the generated client as a customer would: subscribes, changes with If-Match, lists from a time on, handles a refusal.
// TypeScript checks this file strictly, together with the client.
import { CallsApi, Configuration, EventKind, ResponseError, WebhookEndpointsApi } from './client/index.ts';

const [basePath = '', accessToken = '', url = ''] = process.argv.slice(2);
const configuration = new Configuration({ basePath, accessToken });
const endpoints = new WebhookEndpointsApi(configuration);

/** @param {unknown} error The error that the client threw. */
async function refusal(error) {
	if (!(error instanceof ResponseError)) throw error;
	const { code } = await error.response.json();
	return [error.response.status, code];
}

const createWebhookEndpoint = { url, events: [EventKind.CallCompleted] };
const made = await endpoints.createWebhookEndpointRaw({ createWebhookEndpoint });
const { id } = (await made.value()).data;
const read = await endpoints.getWebhookEndpointRaw({ id });

const ifMatch = read.raw.headers.get('etag') ?? '';
const change = { id, ifMatch, changeWebhookEndpoint: { description: 'by TypeScript' } };
const changed = await endpoints.changeWebhookEndpoint(change);
const late = await endpoints.changeWebhookEndpoint(change).then(() => [], refusal);

const from = new Date(Date.now() - 3_600_000).toISOString();
const listed = await new CallsApi(configuration).listCallsRaw({ from, limit: 1 });
console.log(made.raw.status, changed.data.description, ...late, listed.raw.status);
