import { Agent } from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { post } from '../../shared/adapters/https/post.ts';
import { LIMITS, publicResolve, type Resolve, vet } from '../../shared/adapters/https/sender.ts';
import { attemptDelivery } from '../../shared/use-cases/webhooks/attempt-delivery.ts';
import { changeWebhookEndpoint } from '../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { testWebhookEndpoint } from '../../shared/use-cases/webhooks/test-webhook-endpoint.ts';
import { eventually } from '../support/stack/api.ts';
import { oneDelivery, WORKSPACE } from '../support/webhooks/deliveries.ts';
import { nameServer, records, type Say } from '../support/webhooks/name-server.ts';
import { certificates, HOST, testSender, tlsReceiver } from '../support/webhooks/receiver.ts';

// Tests name resolution with real name servers on this machine.

const PUBLIC = '8.8.8.8';
const PUBLIC_6 = '2001:4860:4860::8888';
const REFUSED = /public internet/;
const stops: (() => void)[] = [];
afterAll(() => {
	for (const stop of stops) stop();
});

/** A name server that answers every name with those of these records that have the requested type, and with every CNAME. */
const holding =
	(...data: readonly string[]): Say =>
	(name, type) => ({
		answers: records(name, ...data).filter((answer) => answer.type === type || answer.type === 'CNAME'),
	});

async function asking(say: Say) {
	const server = await nameServer(say);
	stops.push(server.stop);
	return { ...server, resolve: publicResolve([server.address]) };
}
async function vetted(say: Say, timeout_ms = 10_000) {
	const { resolve } = await asking(say);
	return await vet(`https://${HOST}/`, { exempt: [], resolve, timeout_ms });
}

describe('a name', () => {
	it('resolves to its addresses, IPv4 first', async () => {
		const found = await vetted(holding(PUBLIC_6, PUBLIC, '8.8.4.4'));
		expect(found).toMatchObject({ vetted: { host: HOST, port: 443, addresses: [PUBLIC, '8.8.4.4', PUBLIC_6] } });
	});

	it('with addresses of only one family resolves to them', async () => {
		expect(await vetted(holding(PUBLIC))).toHaveProperty('vetted.addresses', [PUBLIC]);
		expect(await vetted(holding(PUBLIC_6))).toHaveProperty('vetted.addresses', [PUBLIC_6]);
	});

	it('whose servers lack one address family, or do not answer for it, resolves to addresses of the other family', async () => {
		const only =
			(rcode: number | null): Say =>
			(name, type) => {
				if (type === 'A') return { answers: records(name, PUBLIC) };
				return rcode === null ? null : { rcode };
			};
		const found = await Promise.all([2, 4, 5, null].map((rcode) => vetted(only(rcode))));
		expect(found.map((each) => 'vetted' in each && each.vetted.addresses)).toEqual(Array(4).fill([PUBLIC]));
	});

	it('whose servers drop queries for IPv6 addresses does not wait for the second query', async () => {
		// If the machine stalls for half a second, the resolver repeats a query. The test then starts again.
		await eventually('one query for each family', async () => {
			const asked: string[] = [];
			const found = await vetted((name, type) => {
				asked.push(type);
				return type === 'A' ? { answers: records(name, PUBLIC) } : null;
			});
			expect(found).toHaveProperty('vetted.addresses', [PUBLIC]);
			return asked.length === 2 ? asked.sort() : null;
		});
	});

	it('whose servers drop queries for IPv4 addresses waits for both queries', async () => {
		const found = await vetted((name, type) => (type === 'A' ? null : { answers: records(name, PUBLIC_6) }));
		expect(found).toHaveProperty('vetted.addresses', [PUBLIC_6]);
	});

	it.each([
		['does not exist (NXDOMAIN)', () => ({ rcode: 3 }), 'dns_not_found'],
		['has no address (an empty answer)', () => ({}), 'dns_not_found'],
		['has an alias that leads nowhere', holding('CNAME gone.example'), 'dns_not_found'],
		['cannot be asked for (SERVFAIL)', () => ({ rcode: 2 }), 'dns_failed'],
		['may not be asked for (REFUSED)', () => ({ rcode: 5 }), 'dns_failed'],
		['is not even a question (FORMERR)', () => ({ rcode: 1 }), 'dns_failed'],
		[
			'fails by one family and does not exist by the other',
			(_: string, type: string) => ({ rcode: type === 'A' ? 2 : 3 }),
			'dns_failed',
		],
		[
			'has no address by one family and fails by the other',
			(_: string, type: string) => (type === 'A' ? {} : { rcode: 2 }),
			'dns_failed',
		],
	] as const)('that %s does not resolve', async (_, say, unresolved) => {
		expect(await vetted(say)).toEqual({ unresolved });
	});

	it('whose servers do not answer is given up at the time limit', async () => {
		const started = performance.now();
		expect(await vetted(() => null, 200)).toEqual({ unresolved: 'dns_failed' });
		expect(performance.now() - started).toBeGreaterThanOrEqual(195);
	});

	it.each([
		['a private address beside public ones', [PUBLIC, '8.8.4.4', '10.0.0.7']],
		['a private address before public ones', ['192.168.1.1', PUBLIC]],
		['a private address in the other family', [PUBLIC, 'fd00::1']],
		['this machine', ['127.0.0.1']],
		['this machine, mapped into IPv6', ['::ffff:127.0.0.1']],
		['a public address, mapped into IPv6', ['::ffff:8.8.8.8']],
		['a translated address (NAT64)', ['64:ff9b::7f00:1']],
		['a public address translated (NAT64)', [PUBLIC, '64:ff9b::808:808']],
		['the metadata service', ['169.254.169.254']],
		['nowhere', ['0.0.0.0']],
		['everybody', ['255.255.255.255']],
	])('that leads to %s is refused, and the refusal names no address', async (_, data) => {
		const found = await vetted(holding(...data));
		expect(found).toEqual({ blocked: { fault: 'not_public', reason: expect.stringMatching(REFUSED) } });
		expect(JSON.stringify(found)).not.toMatch(/\d+\.\d+|::/);
	});

	it('that leads to a private address by way of other names is refused', async () => {
		const chain: Say = (name, type) => {
			const alias = [...records(name, 'CNAME b.example'), ...records('b.example', 'CNAME c.example')];
			return { answers: type === 'A' ? [...alias, ...records('c.example', '10.1.2.3')] : alias };
		};
		expect(await vetted(chain)).toEqual({ blocked: { fault: 'not_public', reason: expect.stringMatching(REFUSED) } });
	});

	it('with hundreds of addresses is read completely, over TCP if UDP is too small', async () => {
		const many = Array.from({ length: 500 }, (_, n) => `8.8.${Math.floor(n / 250)}.${(n % 250) + 1}`);
		const truncated =
			(...data: readonly string[]): Say =>
			(name, type) => ({ truncated: true, ...holding(...data)(name, type) });
		const { resolve, asked } = await asking(truncated(...many));
		expect(await resolve(HOST)).toEqual(expect.arrayContaining(many));
		expect(asked).toContain(`tcp A ${HOST}`);
		expect(await vetted(truncated(...many, '10.0.0.1'))).toEqual({
			blocked: { fault: 'not_public', reason: expect.stringMatching(REFUSED) },
		});
	});
});

describe('an attempt', () => {
	let certs: Awaited<ReturnType<typeof certificates>>;
	beforeAll(async () => {
		certs = await certificates();
	});
	const receiving = async () => {
		const receiver = await tlsReceiver(certs.good, (socket) => {
			socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
		});
		stops.push(() => void receiver.stop());
		return receiver;
	};

	it('resolves the name once for each connection, and connects only to the resolved addresses: a second DNS response cannot redirect it', async () => {
		let answers = 0;
		const rebinding: Say = (name, type) => {
			if (type !== 'A') return {};
			answers += 1;
			return { answers: records(name, answers === 1 ? '127.0.0.1' : '127.0.0.66') };
		};
		const { resolve, asked } = await asking(rebinding);
		const receiver = await receiving();
		const sender = testSender(certs.ca_pem, [receiver.port], { resolve });
		const request = { url: receiver.url, headers: {}, body: '{}' };
		expect(await sender.send(request)).toMatchObject({ kind: 'response', status: 200 });
		expect([...asked].sort()).toEqual([`udp A ${HOST}`, `udp AAAA ${HOST}`]);
		expect(await sender.send(request)).toMatchObject({ kind: 'failure', error: 'connect_refused' });
		expect(receiver.requests).toHaveLength(1);
	});

	it('is not made to a name that has become private since it was checked', async () => {
		let address = PUBLIC;
		const { resolve } = await asking((name, type) => holding(address)(name, type));
		const receiver = await receiving();
		const sender = testSender(certs.ca_pem, [], { resolve });
		expect(await sender.check(receiver.url)).toEqual({ allowed: true, url: receiver.url });
		address = '127.0.0.1';
		const result = await sender.send({ url: receiver.url, headers: {}, body: '{}' });
		expect(result).toMatchObject({ kind: 'failure', error: 'target_blocked' });
		expect(JSON.stringify(result)).not.toContain('127');
		expect(await sender.check(receiver.url)).toMatchObject({ allowed: false });
		expect(receiver.accepted()).toBe(0);
	});

	it('ends before a byte is written if the connection leads to an address that was not checked', async () => {
		const receiver = await receiving();
		class Steered extends Agent {
			override createConnection() {
				return connect({ host: '127.0.0.1', port: receiver.port, servername: HOST, ca: certs.ca_pem });
			}
		}
		const target = { url: new URL(receiver.url), host: HOST, port: receiver.port, literal: false };
		const how = { agent: new Steered(), limits: LIMITS, dns_ms: 0, isFresh: () => true };
		const request = { url: receiver.url, headers: {}, body: '{}' };
		const elsewhere = await post({ ...target, addresses: [PUBLIC] }, request, how);
		expect(elsewhere).toMatchObject({ error: 'target_blocked' });
		expect(JSON.stringify(elsewhere)).not.toContain('127');
		expect(receiver.requests).toEqual([]);
		expect(await post({ ...target, addresses: [PUBLIC, '127.0.0.1'] }, request, how)).toMatchObject({ status: 200 });
	});

	it('to a name that does not resolve says so in its error, and has no times of later phases', async () => {
		const { resolve } = await asking(() => ({ rcode: 3 }));
		const sender = testSender(certs.ca_pem, [], { resolve });
		const result = await sender.send({ url: `https://${HOST}/`, headers: {}, body: '{}' });
		const timings = { dns_ms: expect.any(Number), connect_ms: null, tls_ms: null, first_byte_ms: null };
		expect(result).toMatchObject({ error: 'dns_not_found', hint: expect.stringContaining('DNS records'), timings });
	});
});

describe('the creation, change and test of an endpoint, and each attempt, check its address in the same way:', () => {
	/**
	 * Uses a URL in each way that the service has: for a new endpoint, a changed endpoint, a test event and an attempt. Returns
	 * what the service says about the URL each time. The endpoint of the test event and of the attempt already has this URL.
	 */
	async function everywhere(url: string, resolve: Resolve) {
		const sender = testSender('', [], { resolve });
		const w = await oneDelivery({ url });
		const deps = { ...w.deps, sender, vault: { ...w.deps.vault, sealSecret: async (secret: string) => secret } };
		const key = { workspace_id: WORKSPACE, id: w.endpoint.id };
		const input = { workspace_id: WORKSPACE, url, description: null, events: w.endpoint.events };
		const created = await createWebhookEndpoint(input, deps);
		const changed = await changeWebhookEndpoint(key, { url }, deps);
		const tested = await testWebhookEndpoint(key, 'call.completed', deps);
		await attemptDelivery(w.message, deps);
		const { last_attempt } = await w.read();
		const refusal = (outcome: object) => ('reason' in outcome ? String(outcome.reason) : 'none');
		for (const attempt of [tested, last_attempt]) expect(attempt?.error).toBe('target_blocked');
		return [refusal(created), refusal(changed), tested?.hint ?? '', last_attempt?.hint ?? ''] as const;
	}

	it.each([
		'http://a.example/',
		'https://u:p@a.example/',
		'https://a.example/#f',
		'https://intranet/',
		'https://127.1/',
		'https://[::1]/',
		'https://a.example:22/',
		'https://metadata.google.internal/',
		'https://2130706433/',
		'https://[64:ff9b::7f00:1]/',
		'https://169.254.169.254/latest/meta-data/',
		'https://a.local/',
	])('%s is refused by each of them, in the same words, without a query to a name server', async (url) => {
		const [created, changed, tested, attempted] = await everywhere(url, async () => {
			throw new Error('nobody may ask');
		});
		expect(created).toMatch(/^(The|Port) .*\.$/);
		expect(changed).toBe(created);
		expect(tested).toContain(created);
		expect(attempted).toBe(tested);
	});

	it.each([['10.0.0.1'], [PUBLIC, '127.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1']])(
		'a name that leads to %s is refused by each of them, and the refusal names no address',
		async (...data) => {
			const { resolve } = await asking(holding(...data));
			const said = await everywhere(`https://${HOST}/`, resolve);
			for (const words of said) {
				expect(words).toMatch(REFUSED);
				expect(words).not.toMatch(/\d+\.\d+|::/);
			}
		},
	);
});

it('names whose servers do not answer delay no other name', async () => {
	const silent = await asking(() => null);
	const quick = await asking(holding(PUBLIC));
	const waiting = Array.from({ length: 30 }, (_, n) => silent.resolve(`n${n}.example`).catch(() => 'failed'));
	expect(await quick.resolve(HOST)).toEqual([PUBLIC]);
	const first = await Promise.race([...waiting, quick.resolve(HOST)]);
	expect(first).toEqual([PUBLIC]);
	expect(await Promise.all(waiting)).toEqual(Array(30).fill('failed'));
});
