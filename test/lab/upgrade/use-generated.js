import assert from 'node:assert/strict';

// A customer's program that uses a client generated from a release's API document: `node use-generated.js <module> <base URL>
// <API key> <endpoint URL>`.

const [module_file = '', baseUrl = '', auth = '', url = ''] = process.argv.slice(2);
const generated = await import(module_file);
generated.client.setConfig({ baseUrl, auth });

/** Calls an operation and returns its data. Throws the status if it is no success. */
const answered = async (operation, options = {}) => {
	const { data, error, response } = await generated[operation](options);
	assert.ok(response.ok, `${operation} answered ${response.status}: ${JSON.stringify(error)}`);
	return data;
};

const { data: calls } = await answered('listCalls', { query: { limit: 2, status: ['completed', 'failed'] } });
assert.equal(calls.length, 2);
const { data: call } = await answered('getCall', { path: { id: calls[0].id } });
assert.equal(call.id, calls[0].id);
const { data: leads } = await answered('listCallbackLeads', { query: { limit: 1 } });
const lead = { path: { id: leads[0].id }, body: { status: leads[0].status } };
assert.equal((await answered('updateCallbackLead', lead)).data.id, leads[0].id);

const headers = { 'Idempotency-Key': 'generated' };
const body = { url, events: ['call.failed'] };
const { data: made } = await answered('createWebhookEndpoint', { body, headers });
assert.match(made.secret, /^whsec_/);
const path = { id: made.id };
await answered('changeWebhookEndpoint', { path, body: { description: 'By a generated client' } });
assert.equal((await answered('getWebhookEndpoint', { path })).data.description, 'By a generated client');
assert.equal((await answered('testWebhookEndpoint', { path, body: {} })).data.response_status, 204);
await answered('deleteWebhookEndpoint', { path });
const { response } = await generated.getWebhookEndpoint({ path });
assert.equal(response.status, 404);
