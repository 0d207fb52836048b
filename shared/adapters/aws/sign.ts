import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

export type Credentials = {
	readonly access_key_id: string;
	readonly secret_access_key: string;
	readonly session_token: string | null;
};
export type Scope = { readonly region: string; readonly service: string };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** A signing key lasts a UTC day; deriving it costs four hashes, and making a key of its bytes five times a signature. */
const derived = new Map<string, KeyObject>();

function signingKey(credentials: Credentials, { region, service }: Scope, day: string): KeyObject {
	const name = `${credentials.access_key_id}/${day}/${region}/${service}`;
	const known = derived.get(name);
	if (known) return known;
	const bytes = mac(mac(mac(mac(`AWS4${credentials.secret_access_key}`, day), region), service), 'aws4_request');
	const key = createSecretKey(bytes);
	if (derived.size > 8) derived.clear();
	derived.set(name, key);
	return key;
}

/**
 * The headers of a signed `POST` to `path` (AWS Signature Version 4, "Create a signed AWS API request"): those given, in lower
 * case and with `host` among them, plus date, token and authorization. `at_ms` is the time of signing.
 */
export function signedHeaders(
	headers: Readonly<Record<string, string>>,
	body: string,
	credentials: Credentials,
	scope: Scope,
	at_ms: number,
	path = '/',
): Record<string, string> {
	const stamp = new Date(at_ms).toISOString().replace(/[-:]|\.\d{3}/g, '');
	const day = stamp.slice(0, 8);
	const signed: Record<string, string> = { ...headers, 'x-amz-date': stamp };
	if (credentials.session_token !== null) signed['x-amz-security-token'] = credentials.session_token;
	const names = Object.keys(signed).sort();
	const lines = names.map((name) => `${name}:${signed[name]?.trim()}`);
	const canonical = ['POST', path, '', ...lines, '', names.join(';'), sha256(body)].join('\n');
	const reach = `${day}/${scope.region}/${scope.service}/aws4_request`;
	const signature = createHmac('sha256', signingKey(credentials, scope, day))
		.update(['AWS4-HMAC-SHA256', stamp, reach, sha256(canonical)].join('\n'))
		.digest('hex');
	const credential = `${credentials.access_key_id}/${reach}`;
	signed['authorization'] =
		`AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
	return signed;
}
