import { copyButton, element } from '../element.ts';
import type { Facts } from '../wire.ts';

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
	const key = `-H "Authorization: Bearer ${api_key}"`;
	const json = `-H 'Content-Type: application/json'`;
	const wish = JSON.stringify({
		workspace_key,
		phone: '+12025550101',
		name: 'Ada',
		consent: true,
		page_url: `${allowed_origin}/demo`,
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

/** The addresses and keys of this stack, and how to use them. */
export function showKeys(facts: Facts, keys: HTMLElement, curl: HTMLElement): void {
	keys.replaceChildren(factsTable(facts));
	curl.replaceChildren(
		...curlLines(facts).map(([title, line]) =>
			element(
				'article',
				{ class: 'card curl' },
				element('header', {}, element('h3', {}, title), copyButton(line)),
				element('pre', { tabindex: '0' }, line),
			),
		),
	);
}
