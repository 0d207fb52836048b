// Finds out whether something in front of the receiver has answered: a firewall, a proxy or a sign-in. Only the status and
// the headers decide this. The body does not, because a receiver may answer with any body (docs/decisions/0056).

type Headers = Readonly<Record<string, string>>;

/**
 * Guards that mark a response as their own, whatever its status is. Sources: the documentation of AWS WAF, Cloudflare and
 * Identity-Aware Proxy, and responses that SiteGround, Vercel, Sucuri and ngrok were seen to send. If there are `values`,
 * the header marks a response only with one of these values. If there are no `values`, the header marks a response with any
 * value.
 */
const GUARDS = [
	{ guard: 'aws_waf', name: 'AWS WAF', header: 'x-amzn-waf-action', values: ['challenge', 'captcha'] },
	{ guard: 'cloudflare', name: 'Cloudflare', header: 'cf-mitigated' },
	{ guard: 'siteground', name: "SiteGround's anti-bot system", header: 'sg-captcha', values: ['challenge'] },
	{ guard: 'vercel', name: "Vercel's firewall", header: 'x-vercel-mitigated' },
	{ guard: 'sucuri', name: "Sucuri's firewall", header: 'x-sucuri-block' },
	{ guard: 'google_iap', name: "Google's Identity-Aware Proxy", header: 'x-goog-iap-generated-response' },
	{ guard: 'ngrok', name: 'ngrok', header: 'ngrok-error-code' },
] as const satisfies readonly {
	readonly guard: string;
	readonly name: string;
	readonly header: string;
	readonly values?: readonly string[];
}[];

export type ReceiverGuard = Pick<(typeof GUARDS)[number], 'guard' | 'name'>;

/** The response headers that this file and `attempt-outcome.ts` read. No other header is kept. */
export const DECISIVE_HEADERS: readonly string[] = [
	...GUARDS.map(({ header }) => header),
	'location',
	'retry-after',
	'server',
	'www-authenticate',
	'x-amzn-errortype',
	'x-cdn',
	'x-datadome',
	'x-iinfo',
	'x-vercel-error',
];

/** The guard that answered in place of the receiver. Null if no header shows that a guard has answered. */
export function guardOf(headers: Headers): ReceiverGuard | null {
	return GUARDS.find((each) => isMarked(each, headers)) ?? null;
}

function isMarked(
	{ header, values }: { readonly header: string; readonly values?: readonly string[] },
	headers: Headers,
): boolean {
	// If two proxies set the header, it arrives as one list.
	const sent = (headers[header] ?? '').split(',').map((value) => value.trim().toLowerCase());
	return sent.some((value) => (values === undefined ? value !== '' : values.includes(value)));
}

/** What a person can do about a guard's answer. */
export const guardHint = ({ name }: ReceiverGuard, status: number): string =>
	`${name} answered ${status} in front of the receiver, which did not get the event; ` +
	'let POSTs to this URL through, such as by a rule for its path or for a header of your own.';

/** Sites where people sign in. */
const SIGN_IN_HOST =
	/(^|\.)(cloudflareaccess\.com|login\.microsoftonline\.com|accounts\.google\.com|okta\.com|auth0\.com)$/;
const SIGN_IN_PATH = /(^|\/)(log[-_]?in|sign[-_]?in|sso|sso-api|saml2?|oauth2?|authorize|wp-login)(\/|\.|$)/i;

/**
 * What to do about a redirect to this target, if the customer cannot solve the problem with another URL for the endpoint.
 * Null if another URL may help.
 */
export function redirectHint(location: string | undefined): string | null {
	if (location === undefined || !URL.canParse(location, 'https://receiver.invalid')) return null;
	const { hostname, pathname } = new URL(location, 'https://receiver.invalid');
	if (hostname === 'script.googleusercontent.com') {
		return 'Google Apps Script answers each POST by a redirect, so it cannot receive webhooks itself: put a receiver in front of it.';
	}
	if (!SIGN_IN_HOST.test(hostname) && !SIGN_IN_PATH.test(pathname)) return null;
	return 'it leads to a sign-in: let POSTs to this URL through without one, and verify the signature instead.';
}

/** Proxies that give their name in their own answers. */
const SERVERS: readonly (readonly [RegExp, string])[] = [
	[/^akamaighost/i, 'Akamai'],
	[/^cloudfront/i, 'Amazon CloudFront'],
	[/^awselb/i, 'The load balancer (Elastic Load Balancing)'],
];

/**
 * Which proxy or firewall has refused a POST, or may have refused it, and what to do about that. Null if nothing points to
 * a proxy or firewall.
 */
export function refusalHint(status: number, headers: Headers): string | null {
	const answered = `answered ${status} in front of the receiver`;
	const { server = '' } = headers;
	if (/^cloudflare$/i.test(server) && isCloudflareError(status))
		return `Cloudflare ${answered}: it could not get an answer from it; check that the server behind Cloudflare is up and takes its connections.`;
	if (status === 407 || status === 511)
		return `A proxy or network ${answered} and asks to sign in; use a URL that is reached without it.`;
	if (status === 401 && headers['www-authenticate'] !== undefined) return signInHint(headers['www-authenticate']);
	if (status === 401 && /^vercel$/i.test(server))
		return `Vercel ${answered}: Deployment Protection; use the production URL, or add the header x-vercel-protection-bypass to the endpoint.`;
	if (headers['x-vercel-error'] !== undefined)
		return `Vercel ${answered}; look the deployment and its function up in Vercel's logs.`;
	if (headers['x-amzn-errortype'] !== undefined)
		return (
			`Amazon API Gateway or Lambda ${answered}; check the route, its authorizer and its policy, ` +
			'or add the header that it demands to the endpoint.'
		);
	const name = SERVERS.find(([pattern]) => pattern.test(server))?.[1];
	if (name !== undefined)
		return `${name} ${answered}; look for a rule that refuses POSTs, and check that the receiver is up.`;
	return isRefusal(status) ? firewallHint(status, headers) : null;
}

/** Statuses that only Cloudflare uses: Cloudflare could not connect to the origin, or got no answer from the origin. */
const isCloudflareError = (status: number): boolean => (status >= 520 && status <= 527) || status === 530;
const isRefusal = (status: number): boolean => [401, 403, 406, 428].includes(status);

/**
 * What to do about a demand to sign in. This depends on the scheme (RFC 9110 section 11.6.1): an `Authorization` header of
 * the endpoint can satisfy only `Basic` and `Bearer`.
 */
function signInHint(challenge: string): string | null {
	const scheme = /^(basic|bearer|digest|negotiate|ntlm)\b/i.exec(challenge)?.[1]?.toLowerCase();
	if (scheme === undefined) return null;
	if (scheme === 'basic' || scheme === 'bearer') {
		const what = scheme === 'basic' ? 'a user name and a password' : 'a token';
		return `The server asks for ${what} (401); add an Authorization header to the endpoint, or let POSTs to this URL through without one.`;
	}
	return (
		'The server asks to sign in by a way that webhooks cannot take (401); ' +
		'let POSTs to this URL through without it, and verify the signature instead.'
	);
}

/**
 * The hint for a refusal that passed through a firewall that marks every response. The refusal may come from the firewall
 * or from the receiver. Null if there is no such mark.
 */
function firewallHint(status: number, headers: Headers): string | null {
	const name = passedFirewall(headers);
	if (name === null) return null;
	return (
		`${name} or the receiver behind it answered ${status}; if the receiver's log does not have the request, ` +
		`let POSTs to this URL through in ${name}, else verify the signature over the raw body.`
	);
}

function passedFirewall(headers: Headers): string | null {
	if (headers['x-datadome'] !== undefined) return 'DataDome';
	if (headers['x-iinfo'] !== undefined || /imperva|incapsula/i.test(headers['x-cdn'] ?? '')) return 'Imperva';
	return /^cloudflare$/i.test(headers['server'] ?? '') ? 'Cloudflare' : null;
}
