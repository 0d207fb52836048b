import assert from 'node:assert/strict';

// A customer's program that uses the packed client of a release: `node use-client.js <package> <base URL> <API key> <endpoint
// URL>`.

const [package_file = '', base_url = '', api_key = '', url = ''] = process.argv.slice(2);
const { callBackClient } = await import(package_file);
const client = callBackClient({ base_url, api_key });

const calls = await client.calls.list({ limit: 2 });
assert.equal(calls.data.length, 2);
const [call] = calls.data;
// A live call may change between the two reads, so only the names of its fields are compared.
assert.deepEqual(Object.keys(await client.calls.get(call.id)), Object.keys(call));
let walked = 0;
for await (const each of client.callbackLeads.all({ limit: 2 })) walked += each.id.length > 0 ? 1 : 0;
assert.ok(walked > 2);

const { secret, ...made } = await client.webhookEndpoints.create({ url, events: ['call.failed'] });
assert.match(secret, /^whsec_/);
const seen = await client.webhookEndpoints.get(made.id);
const changed = await client.webhookEndpoints.change(made.id, { description: 'By a client' }, { if_unchanged: seen });
assert.equal(changed.description, 'By a client');
assert.equal((await client.webhookEndpoints.test(made.id, { event: 'call.failed' })).response_status, 204);
await client.webhookEndpoints.rotateSecret(made.id, { overlap_seconds: 60 });
assert.ok((await client.webhookEndpoints.list()).some(({ id }) => id === made.id));
await client.webhookEndpoints.delete(made.id);
await assert.rejects(client.webhookEndpoints.get(made.id), { code: 'not_found', status: 404 });

const { data: deliveries } = await client.webhookDeliveries.list({ status: 'succeeded', limit: 1 });
const { attempts } = await client.webhookDeliveries.get(deliveries[0].id);
assert.ok(attempts.length > 0);
console.log('used');
