import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isOwnOrigin } from '../../../shared/http/edge/own-origin.ts';

// The service accepts only forms of its own pages. Their Origin is equal, by the rules of RFC 9110, to the host to which the form
// is sent, or to the configured public origin.

const PUBLIC = 'https://calls.shop.example/v1';
const GATEWAY = 'abc123.execute-api.eu-central-1.amazonaws.com';

describe('a form', () => {
	it.each([
		['of the host that it is sent to', `https://${GATEWAY}`, GATEWAY],
		['with the default port in Host', `https://${GATEWAY}`, `${GATEWAY}:443`],
		['with an empty port in Host', `https://${GATEWAY}`, `${GATEWAY}:`],
		['with capitals in Host', `https://${GATEWAY}`, GATEWAY.toUpperCase()],
		['with capitals and the default port in Origin', `HTTPS://${GATEWAY.toUpperCase()}:443`, GATEWAY],
		['with another port in both', `https://${GATEWAY}:8443`, `${GATEWAY}:8443`],
		['with an IPv6 address in two spellings', 'https://[2001:db8::1]', '[2001:DB8:0::1]:443'],
		['of the public origin behind a proxy that changes Host', 'https://calls.shop.example', GATEWAY],
		['of the public origin with its port', 'https://Calls.Shop.example:443', 'localhost:3000'],
		['of the public origin without a Host', 'https://calls.shop.example', undefined],
	])('%s is accepted as the service’s own', (_, origin, host) => {
		expect(isOwnOrigin({ origin, host, 'x-forwarded-proto': 'https' }, PUBLIC)).toBe(true);
	});

	it.each([
		['without an Origin', undefined, GATEWAY],
		['of a document without an origin', 'null', GATEWAY],
		['of another site', 'https://evil.example', GATEWAY],
		['of another port of our host', 'https://calls.shop.example:8443', GATEWAY],
		['of plain http on our host', 'http://calls.shop.example', 'calls.shop.example'],
		['of plain http on the port of https', `http://${GATEWAY}:443`, `${GATEWAY}:443`],
		['of a host below ours', 'https://a.calls.shop.example', GATEWAY],
		['of a host above ours', 'https://shop.example', GATEWAY],
		['of a host that begins like ours', 'https://calls.shop.example.evil.example', GATEWAY],
		['of a host that ends with a dot', 'https://calls.shop.example.', GATEWAY],
		['whose Origin has a path', 'https://calls.shop.example/', GATEWAY],
		['whose Origin has a user', 'https://evil@calls.shop.example', GATEWAY],
		['with two Origins', 'https://calls.shop.example, https://evil.example', GATEWAY],
		['with a Host that is a path', 'https://evil.example', 'evil.example/calls.shop.example'],
		['with two Hosts', 'https://evil.example', `${GATEWAY},evil.example`],
		['of another scheme', 'chrome-extension://calls.shop.example', 'calls.shop.example'],
	])('%s is not accepted', (_, origin, host) => {
		expect(isOwnOrigin({ origin, host, 'x-forwarded-proto': 'https' }, PUBLIC)).toBe(false);
	});

	it('over plain http is accepted only by a service on one machine, which has no https', () => {
		const headers = { origin: 'http://localhost:3000', host: 'LOCALHOST:3000', 'x-forwarded-proto': 'http' };
		expect(isOwnOrigin(headers, 'http://127.0.0.1:3000/v1')).toBe(true);
		expect(isOwnOrigin({ origin: 'http://localhost', host: 'localhost:80' }, 'http://127.0.0.1:3000/v1')).toBe(true);
	});

	it('is accepted only if scheme, lower-case host and numeric port are those of Host or of the public origin', () => {
		const host = fc.constantFrom('calls.shop.example', 'Calls.Shop.Example', 'a.example', 'A.EXAMPLE', 'b.example');
		const port = fc.constantFrom('', ':', ':443', ':80', ':8443');
		const scheme = fc.constantFrom('https', 'http', 'HTTPS');
		const normal = (name: string, text: string, of: string) =>
			`${of.toLowerCase()}//${name.toLowerCase()}${text.slice(1) || (of.toLowerCase() === 'https' ? '443' : '80')}`;
		fc.assert(
			fc.property(scheme, host, port, host, port, (of, name, itsPort, asked, askedPort) => {
				const headers = {
					origin: `${of}://${name}${itsPort}`,
					host: `${asked}${askedPort}`,
					'x-forwarded-proto': 'https',
				};
				const own = [normal(asked, askedPort, 'https'), normal('calls.shop.example', '', 'https')];
				expect(isOwnOrigin(headers, PUBLIC)).toBe(own.includes(normal(name, itsPort, of)));
			}),
		);
	});
});
