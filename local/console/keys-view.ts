import { copyButton, element } from './element.ts';
import type { Facts } from './wire.ts';

/** The simulated numbers worth a click, as docs/telephony.md explains them all. */
const NUMBERS = [
	['+12025550101', 'answers, talks for six seconds, hangs up'],
	['+12025550102', 'is busy'],
	['+12025550103', 'rings, and nobody answers'],
	['+12025550104', 'rejects the call'],
	['+12025550105', 'is answered by a voicemail'],
	['+12025550106', 'is not in service'],
	['+12025550107', 'makes the provider answer 500, and rings all the same'],
	['+12025550108', 'reports everything twice and backwards'],
	['+12025550109', 'rings, and the provider never reports'],
	['+12025550110', 'answers and stays until you cancel the call'],
	['+12025550114', 'makes the provider ask to be called later (429)'],
	['+12025550117', 'answers and hangs up at once'],
] as const;

function factsTable(facts: Facts): HTMLElement {
	const rows = Object.entries(facts).map(([name, value]) =>
		element(
			'tr',
			{},
			element('th', { scope: 'row' }, name),
			element('td', {}, value),
			element('td', {}, copyButton(value)),
		),
	);
	return element('div', { class: 'card' }, element('table', {}, element('tbody', {}, ...rows)));
}

function curlLines(facts: Facts): readonly (readonly [string, string])[] {
	const { base_url, api_key, workspace_key, allowed_origin } = facts;
	const key = `-H 'Authorization: Bearer ${api_key}'`;
	const json = `-H 'Content-Type: application/json'`;
	const wish = JSON.stringify({
		...{ workspace_key, phone: '+12025550101', name: 'Ada', consent: true, page_url: `${allowed_origin}/demo` },
	});
	return [
		[
			'Ask for a call, as the widget does',
			`curl -s -X POST '${base_url}/widget/call-requests' -H 'Origin: ${allowed_origin}' ${json} -H "Idempotency-Key: $(date +%s)" -d '${wish}'`,
		],
		['List calls', `curl -s '${base_url}/calls?limit=10' ${key}`],
		['List callback leads', `curl -s '${base_url}/callback-leads?status=pending' ${key}`],
		['List webhook endpoints', `curl -s '${base_url}/webhook-endpoints' ${key}`],
		['List deliveries', `curl -s '${base_url}/webhook-deliveries?limit=10' ${key}`],
		['Read the OpenAPI description', `curl -s '${base_url}/openapi.json'`],
	];
}

/** Asks for a call as a visitor of the demo shop would; answers what there is to say about it. */
async function call(phone: string, { base_url, workspace_key }: Facts): Promise<string> {
	const response = await fetch(`${base_url}/widget/call-requests`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
		body: JSON.stringify({ workspace_key, phone, consent: true, page_url: location.href }),
	});
	const body: { title?: string } = await response.json();
	return response.ok ? '' : (body.title ?? `the API answered ${response.status}`);
}

function numberButtons(facts: Facts, said: HTMLElement): HTMLElement[] {
	return NUMBERS.map(([number, what]) => {
		const button = element('button', { type: 'button', class: 'number' }, element('strong', {}, number), ` ${what}`);
		button.addEventListener('click', () => {
			void call(number, facts).then((refusal) => {
				said.textContent = refusal;
				if (refusal === '') location.hash = '#calls';
			});
		});
		return element('li', {}, button);
	});
}

/** The addresses and keys of this stack, what to do with them, and the numbers that can be called. */
export function showKeys(facts: Facts, { keys, curl, numbers, said }: Readonly<Record<string, HTMLElement>>): void {
	keys?.replaceChildren(factsTable(facts));
	curl?.replaceChildren(
		...curlLines(facts).map(([title, line]) =>
			element(
				'article',
				{ class: 'card curl' },
				element('header', {}, element('h3', {}, title), copyButton(line)),
				element('pre', { tabindex: '0' }, line),
			),
		),
	);
	if (said) numbers?.replaceChildren(...numberButtons(facts, said));
}
