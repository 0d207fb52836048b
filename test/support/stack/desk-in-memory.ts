import {
	changeDesk,
	changeDevelopers,
	openDesk,
	showDesk,
	showDevelopers,
	signIn,
} from '../../../shared/contract/desk/desk.ts';
import { type DeskLinkRequest, newDeskLink } from '../../../shared/domain/desk/desk-link.ts';
import { formatSecret, SECRET_BYTES } from '../../../shared/domain/kernel/link-token.ts';
import { switchAction } from '../../../shared/http/desk/desks/switch-action.ts';
import { runDeveloperAction } from '../../../shared/http/desk/developer-actions.ts';
import { developerSite } from '../../../shared/http/desk/developer-site.ts';
import { handleForm } from '../../../shared/http/desk/handle-form.ts';
import { readView } from '../../../shared/http/desk/kit/view.ts';
import { runShopAction } from '../../../shared/http/desk/shop-actions.ts';
import { shopForms } from '../../../shared/http/desk/shop-forms.ts';
import { shopSite } from '../../../shared/http/desk/shop-site.ts';
import { followLink } from '../../../shared/http/desk/sign-in/follow-link.ts';
import { sentPage, signInPage } from '../../../shared/http/desk/sign-in/sign-in-pages.ts';
import type { EdgeHandler } from '../../../shared/http/edge/edge.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';
import type { WebhookRequest } from '../../../shared/ports/webhook-sender.ts';
import { askForLink } from '../../../shared/use-cases/desk/desk-links.ts';
import { captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';
import { requestCall } from '../../../shared/use-cases/widget/request-call.ts';
import { frontDesk } from '../front-desk.ts';
import { memoryStore } from '../memory-store.ts';
import { answered } from '../webhooks/deliveries.ts';
import { put } from '../writes.ts';
import { deskForms } from './desk-shops.ts';
import { developersOf } from './developers.ts';
import { type Shop, shopMaker } from './new-shop.ts';

const BASE_URL = 'https://api.example/v1';

/**
 * The desk over a store in memory: it takes a browser's request and returns the response. The clock advances a millisecond with
 * each request.
 */
export function deskInMemory() {
	const { deps: ports, now } = frontDesk(memoryStore());
	const posts: string[] = [];
	const deps = {
		...ports,
		public_base_url: BASE_URL,
		addresses: { widget_script: 'https://widget.example/widget.js', base_url: BASE_URL },
		vault: {
			sealSecret: async (secret: string) => `sealed ${secret}`,
			openSecret: async (sealed: string) => sealed.replace('sealed ', ''),
		},
		sender: {
			check: async (url: string) =>
				url.startsWith('https://')
					? ({ allowed: true, url } as const)
					: ({ allowed: false, fault: 'not_https', reason: 'no https' } as const),
			send: async ({ url }: WebhookRequest) => {
				posts.push(url);
				return answered(204);
			},
		},
	};
	const own = { deps: () => deps };
	const signInPages = handleForPeople(signIn, {
		...own,
		run: async ({ request, form }) => {
			if (form === null) return { response: signInPage(request) };
			await askForLink(form.address, request.source_ip, deps);
			return { response: sentPage(request) };
		},
	});
	const handlers: Readonly<Record<string, EdgeHandler>> = {
		'GET sign-in': signInPages,
		'POST sign-in': signInPages,
		'GET pages': handleForPeople(showDesk, {
			...own,
			run: async ({ request }) => {
				const admitted = await shopSite.admit(request, null, deps);
				if (!('page' in admitted)) return admitted;
				const view = readView(admitted.at, deps.clock.now(), request);
				return { response: await shopSite.show(admitted.page, view, deps) };
			},
		}),
		'POST pages': handleForPeople(changeDesk, {
			...own,
			run: async ({ request, form }) => {
				const fields = form ?? {};
				const admitted = await shopForms.admit(request, fields, deps);
				if (!('page' in admitted)) return admitted;
				const desk = { site: shopForms, run: runShopAction, switchDesk: switchAction };
				return handleForm(desk, admitted, request, fields, deps);
			},
		}),
		'GET developers': handleForPeople(showDevelopers, {
			...own,
			run: async ({ request }) => {
				const admitted = await developerSite.admit(request, null, deps);
				if (!('page' in admitted)) return admitted;
				const view = readView(admitted.at, deps.clock.now(), request);
				return { response: await developerSite.show(admitted.page, view, deps) };
			},
		}),
		'POST developers': handleForPeople(changeDevelopers, {
			...own,
			run: async ({ request, form }) => {
				const fields = form ?? {};
				const admitted = await developerSite.admit(request, fields, deps);
				if (!('page' in admitted)) return admitted;
				const desk = { site: developerSite, run: runDeveloperAction };
				return handleForm(desk, admitted, request, fields, deps);
			},
		}),
		'GET links': handleForPeople(openDesk, { ...own, run: ({ request, form }) => followLink(request, form, deps) }),
		'POST links': handleForPeople(openDesk, { ...own, run: ({ request, form }) => followLink(request, form, deps) }),
	};

	/** Passes a browser's request on in the form that API Gateway gives it. */
	const request: typeof fetch = async (address, { method = 'GET', headers, body } = {}) => {
		// The clock advances, so that later records get later ids.
		now.ms += 1;
		const { pathname, searchParams } = new URL(String(address));
		const [folder = '', last = ''] = pathname.replace('/v1/desk/', '').split('/');
		const sent = new Headers(headers);
		const cookies = sent.get('cookie')?.split('; ') ?? [];
		sent.delete('cookie');
		if (body) sent.set('content-type', 'application/x-www-form-urlencoded');
		const handler = handlers[`${method} ${folder}`];
		if (handler === undefined) throw new Error(`no page at ${pathname}`);
		const { statusCode, ...response } = await handler(
			{
				rawPath: pathname,
				headers: { host: 'api.example', ...Object.fromEntries(sent) },
				cookies,
				queryStringParameters: Object.fromEntries(searchParams),
				pathParameters: folder === 'links' ? { token: last } : { page: last },
				...(body && { body: String(body) }),
				isBase64Encoded: false,
				requestContext: { requestId: 'request', http: { method, sourceIp: '192.0.2.1' } },
			},
			{},
		);
		const answered = new Headers(response.headers);
		for (const cookie of response.cookies ?? []) answered.append('set-cookie', cookie);
		return new Response(response.body ?? null, { status: statusCode, headers: answered });
	};

	const { invite, newShop } = shopMaker(async () => deps);

	/** Creates a sign-in link, as the desk would mail it to an address. */
	async function linkTo(address: string): Promise<string> {
		const asked: DeskLinkRequest = { address, reason: 'sign_in' };
		const secret = deps.ids.random(SECRET_BYTES);
		// A link is valid only if it was made at least a second after the invitation.
		now.ms += 1000;
		await deps.store.commit([put('desk_link', newDeskLink(asked, secret, now.ms))]);
		return `${BASE_URL}/desk/links/${formatSecret(secret)}`;
	}
	/** A visitor leaves a number for a callback. Returns the lead's id. */
	async function leaveNumber({ id, allowed_origin: origin }: Shop, phone: string, name: string): Promise<string> {
		now.ms += 1;
		const workspace = await deps.store.get('workspace', { id });
		if (workspace === null) throw new Error('no such shop');
		const captured = await captureLead(
			{ workspace, phone, name, consent: true, origin, page_url: `${origin}/pricing`, source_ip: '192.0.2.9' },
			deps,
		);
		if (!('lead' in captured)) throw new Error('no lead');
		return captured.lead.id;
	}
	/** A visitor asks for a call. Returns the call's id, or why it was refused. */
	async function requestCallFrom({ id, allowed_origin: origin }: Shop, phone: string, name: string | null = null) {
		const workspace = await deps.store.get('workspace', { id });
		if (workspace === null) throw new Error('no such shop');
		const requested = await requestCall(
			{ workspace, phone, name, consent: true, origin, page_url: `${origin}/`, source_ip: '192.0.2.9' },
			deps,
		);
		return 'call' in requested ? requested.call.id : requested.refused;
	}
	const forms = deskForms(() => ({ base_url: BASE_URL }), { linkTo }, request);
	const shops = { newShop, invite, linkTo, leaveNumber, requestCallFrom };
	return { ...forms, ...shops, ...developersOf(shops, forms), deps, store: deps.store, now, posts };
}
