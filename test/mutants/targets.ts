import { type Edit, type Mutant, watched } from './mutant.ts';

const address = 'shared/domain/target-address.ts';
const https = (file: string): string => `shared/adapters/https/${file}.ts`;
const decisions = 'test/unit/delivery-decisions.test.ts';
const names = 'test/delivery/names.test.ts';
const receivers = 'test/delivery/receivers.test.ts';
const limits = 'test/delivery/limits.test.ts';

const refusedIpv4 = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.31.196.0', 24],
	['192.52.193.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['192.175.48.0', 24],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 4],
	['240.0.0.0', 4],
] as const;
const refusedIpv6 = [
	['2001::', 23],
	['2001:db8::', 32],
	['2002::', 16],
	['3fff::', 20],
] as const;

/** Each range of addresses let in. */
const ranges = [...refusedIpv4, ...refusedIpv6].map(
	([prefix, bits]): Edit => [`nothing goes to ${prefix}/${bits}`, `	['${prefix}', ${bits}],\n`, ''],
);

const spelling: readonly Edit[] = [
	['of IPv6 only what is routed is reached', 'if (!inside(v6, 128, ipv6Bits(global), bits)) return refused;', ''],
	['an IPv4 address has one spelling', '/^(0|[1-9]\\d{0,2})$/', '/^\\d{1,3}$/'],
	['an address in the URL itself is judged', 'if (!literal) return { target };', 'if (target) return { target };'],
	['https only', "if (url.protocol !== 'https:') return refuse('The URL must be https.');", ''],
	['no credentials in a URL', "if (url.username !== '' || url.password !== '')", "if (url.username === '\\n')"],
	['no fragment in a URL', "if (text.includes('#')) return", "if (text === '#') return"],
	['nothing invisible in a URL', '/[\\s\\p{Cc}\\\\]/u.test(text)', "text === ''"],
	['a URL has a length', 'text.length > MAX_URL_CHARS || ', ''],
	['a host name is well formed', "if (host.split('.').includes('')) return 'The host name is malformed.';", ''],
	['a host name has a dot', "if (!host.includes('.')) return", "if (host === '') return"],
	['a host is not local by its name', "isLocalName(host) ? 'The host is local by its name.' : null", 'null'],
	['no privileged port but that of https', 'PRIVILEGED_PORTS.has(port) || port >= FIRST_UNPRIVILEGED_PORT', 'port > 0'],
	['no port of a database', 'return usual && !DENIED_PORTS.has(port) ?', 'return usual ?'],
	[
		'a host of one machine is exempt at its port',
		'return exempt.includes(',
		'return exempt.some((named) => named.startsWith(host)) || exempt.includes(',
	],
];

/** Where a request may go, and what becomes of it there: what design and docs promise of the sender. */
export const targets: readonly Mutant[] = [
	...watched(address, decisions, [...ranges, ...spelling]),
	...watched(https('address-guard'), names, [
		['one refused address refuses a name', 'addresses.map(decideAddress)', 'addresses.slice(0, 1).map(decideAddress)'],
		[
			'the addresses of a name are judged',
			'return refused && !refused.allowed ?',
			'return refused && refused.allowed ?',
		],
	]),
	...watched('shared/use-cases/create-webhook-endpoint.ts', names, [
		['creation asks where a URL leads', 'if (!target.allowed) return', 'if (target === null) return'],
	]),
	...watched('shared/use-cases/change-webhook-endpoint.ts', names, [
		[
			'a change asks where a URL leads',
			'if (target !== null && !target.allowed) return',
			'if (target === undefined) return',
		],
	]),
	...watched(https('post'), names, [
		[
			'a connection goes to the address that was judged',
			'const found = target.addresses.map((address) =>',
			"const found = ['127.0.0.1'].map((address) =>",
		],
		[
			'where a connection leads is looked at before a byte is written',
			'} else if (leadsThere) {',
			'} else if (socket) {',
		],
	]),
	...watched(https('post'), receivers, [
		[
			'a kept connection leads where the name leads now',
			'!(leadsThere && options.isFresh(socket))',
			'!options.isFresh(socket)',
		],
		['no endless 1xx answers', 'if (informational > limits.informational) fail', 'if (informational === 0) fail'],
		[
			'what was said before it was asked is no answer',
			'if (!written) return sent',
			'if (written === null) return sent',
		],
		['answers are asked for as they are', "			'accept-encoding': 'identity',\n", ''],
		[
			'a request goes again only when it was never written',
			'if (sent.reusedSocket && !written) giveUp();',
			'if (sent.reusedSocket) giveUp();',
		],
	]),
	...watched(https('address-guard'), limits, [
		[
			'a name server that never answers is given up',
			'await within(options.resolve(target.host), options.timeout_ms)',
			'await options.resolve(target.host)',
		],
	]),
	...watched(https('post'), limits, [
		[
			'the deadline lasts to the last byte of the body',
			"clock.mark('first_byte');",
			"clock.mark('first_byte');\n			clearTimeout(whole);",
		],
		['the time to connect ends', '}, limits.connect_ms);', '}, limits.connect_ms * 1000);'],
		['a request ends', 'limits.total_ms);', 'limits.total_ms * 1000);'],
	]),
	...watched(https('sender'), receivers, [
		['the look-up of the name counts into the deadline', 'limits.total_ms - spent_ms()', 'limits.total_ms'],
		[
			'certificates are checked',
			'const kept = { keepAlive: true,',
			'const kept = { rejectUnauthorized: false, keepAlive: true,',
		],
		['proxy variables change nothing', 'new Agent({ ...ca,', 'new Agent({ proxyEnv: process.env, ...ca,'],
		['a connection is not kept for long', '< KEPT_MS };', '< KEPT_MS * 1000 };'],
	]),
	...watched(https('sender'), limits, [
		['a look-up ends after 2 s', 'const DNS_MS = 2000;', 'const DNS_MS = 1900;'],
		['connecting ends after 5 s', 'connect_ms: 5000,', 'connect_ms: 4900,'],
		['a request ends after 15 s', 'total_ms: 15_000,', 'total_ms: 14_900,'],
		['16 KiB are read', 'read_bytes: 16 * 1024,', 'read_bytes: 17 * 1024,'],
		['4 KiB are kept', 'kept_bytes: 4 * 1024,', 'kept_bytes: 5 * 1024,'],
	]),
	...watched(https('read-answer'), limits, [
		['reading stops', 'if (size < limits.read_bytes) return;', 'if (size >= 0) return;'],
		['a connection is closed when reading stops', '		response.destroy();\n', ''],
		['of an answer a part is kept', '.subarray(0, limits.kept_bytes)', ''],
	]),
	...watched(https('read-answer'), receivers, [['an answer that is cut off is none', "done('cut')", 'done(answer())']]),
];
