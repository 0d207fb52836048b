import type { Stack } from '../../../local/stack.ts';
import { folderOf } from '../../../shared/contract/desk/desk-pages.ts';
import { operatorOf } from '../webhooks/customers.ts';
import { call, eventually, mailbox, visitorBody } from './api.ts';
import { type Shop, shopMaker } from './new-shop.ts';

/** Shops with a desk on a running stack, each with an owner, a member and a team of its own. */
export function deskShops(stack: () => Stack) {
	const opened = new Set<string>();

	const operator = () => operatorOf(stack());
	const { invite, newShop } = shopMaker(operator);

	/** The links that were mailed to an address and that `linkTo` has not returned yet. */
	async function linksTo(address: string): Promise<readonly string[]> {
		return (await mailbox(stack()))
			.filter(({ to }) => [to].flat().includes(address))
			.flatMap(({ text }) => /http\S+\/desk\/links\/\S+/.exec(text)?.[0] ?? [])
			.filter((link) => !opened.has(link));
	}
	/** Waits for the next link that is mailed to an address. */
	const linkTo = (address: string): Promise<string> =>
		eventually(`a mail to ${address}`, async () => {
			const [link = null] = await linksTo(address);
			if (link !== null) opened.add(link);
			return link;
		});

	/** A visitor leaves a number for a callback. Returns the lead's id. */
	async function leaveNumber(shop: Shop, phone: string, name: string): Promise<string> {
		const headers = { origin: shop.allowed_origin };
		const body = visitorBody(shop, { phone, name, page_url: `${shop.allowed_origin}/pricing` });
		return (await call(stack().base_url, '/widget/callback-leads', { headers, body })).json.data.id;
	}
	return { operator, invite, newShop, linkTo, linksTo, leaveNumber };
}

type Sent = {
	readonly cookie?: string;
	readonly origin?: string | null;
	readonly fields?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
};

/** Sends requests to the desk as a browser does. */
export function deskForms(
	stack: () => Pick<Stack, 'base_url'>,
	{ linkTo }: Pick<ReturnType<typeof deskShops>, 'linkTo'>,
	request: typeof fetch = fetch,
) {
	const desk = (path: string) => `${stack().base_url}/desk/${path}`;
	/** The URL of a page of the shop's desk or of its developer pages, with or without a query. */
	const pageAt = (page: string) => desk(`${folderOf(page.split('?')[0] ?? '')}/${page}`);
	const ourOrigin = () => new URL(stack().base_url).origin;

	/** Sends one request. With `fields`, it sends a form. */
	async function send(url: string, { cookie = '', origin = ourOrigin(), fields, headers: more = {} }: Sent = {}) {
		const headers = { ...more, ...(cookie !== '' && { cookie }), ...(fields && origin !== null && { origin }) };
		const body = fields === undefined ? null : new URLSearchParams(fields);
		const response = await request(url, { method: body === null ? 'GET' : 'POST', headers, body, redirect: 'manual' });
		return { status: response.status, headers: response.headers, html: await response.text() };
	}

	async function followed(url: string, cookie: string) {
		const answer = await send(url, { cookie });
		const next = answer.headers.get('location');
		return next === null ? answer : send(new URL(next, url).href, { cookie });
	}

	/** Signs in with the next mailed link. Returns the session's cookie, and the token that its forms carry. */
	async function signIn(address: string, workspace: string) {
		const opened = await send(await linkTo(address), { fields: { workspace } });
		const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
		// For a developer, the page "today" redirects to the first page that developers may see.
		const { html } = await followed(desk('pages/today'), cookie);
		const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
		if (token === '') throw new Error(`the link answered ${opened.status} ${codeOf(opened) ?? ''}`);
		return { cookie, token };
	}
	const post = (
		{ cookie, token }: Awaited<ReturnType<typeof signIn>>,
		page: string,
		fields: Readonly<Record<string, string>>,
	) => send(pageAt(page), { cookie, fields: { token, ...fields } });
	const codeOf = ({ html }: { readonly html: string }) => /<meta name="problem" content="(\w+)">/.exec(html)?.[1];
	return { desk, pageAt, ourOrigin, send, signIn, post, codeOf };
}
