import assert from 'node:assert/strict';
import { limitNames } from '../../../../shared/domain/access/limits.ts';
import { permissions } from '../../../../shared/domain/access/permission.ts';
import { eventKinds } from '../../../../shared/domain/webhooks/event.ts';
import { type ApiResponse, call, eventually, mailbox, visitorBody } from '../../../support/stack/api.ts';
import { deskForms, deskShops } from '../../../support/stack/desk-shops.ts';
import { formsIn } from '../../../support/stack/forms-in-page.ts';
import { bearer } from '../../../support/webhooks/customers.ts';
import { fictionalAreas } from '../../bench/fictional-numbers.ts';
import type { Asked as AskedOf, Contract } from './contract.ts';
import { type Ending, wasInterrupted } from './interrupted.ts';
import type { OpenPage, Pages } from './pages.ts';
import { atMost, untilAccepted } from './patience.ts';
import type { Conduct, Receivers } from './receivers.ts';
import { isBusy, type Running } from './running.ts';

/** A customer that an operator has created, the session of its owner, and an endpoint for all events. */
export type Shop = {
	readonly id: string;
	readonly name: string;
	readonly owner: string;
	/** A word that is part of the shop's names and mail addresses. */
	readonly mine: string;
	readonly workspace_key: string;
	readonly allowed_origin: string;
	readonly api_key: string;
	readonly session: { readonly cookie: string; readonly token: string };
	readonly hook: Hook;
};
export type Site = ReturnType<typeof openSite>;
/** A webhook endpoint at one of our receivers. `secrets`: all signing secrets that are valid now. */
export type Hook = { readonly id: string; readonly url: string; readonly secrets: readonly string[] };
/** A visitor's request, with the id and the secret from its response. */
export type Asked = { readonly id: string; readonly body: object; readonly key: string; readonly secret: string };

export const API_KEY = /cbk_live_\w{26}_[\w-]{47}/;
/** How many requests run at the same time: enough to keep the stack busy, and few enough for it to complete their work. */
const AT_ONCE = 10;
/** How long a person waits for a mail before requesting another one. */
const NO_MAIL_MS = 60_000;
const PLENTY = '100000';
const UNLIMITED = limitNames.flatMap((name) => [`--${name.replaceAll('_', '-')}`, PLENTY]);

/** What changes when one stack replaces another, while the people around the stack stay. */
export type Scene = {
	stack(): Running;
	/**
	 * The API documents that every response has to follow at present: the document of the code that ran first, and the document
	 * of the running code, if it has one.
	 */
	contracts(): readonly Contract[];
	/** How each stack that was replaced has ended. */
	endings(): readonly Ending[];
	/** Resolves when no stack is being replaced. */
	ready(): Promise<void>;
};

/** The people around the running stack. They stay while one stack replaces another. */
export function openSite({ stack, contracts, endings, ready }: Scene, receivers: Receivers, pages: Pages | null) {
	const judged = { answers: new Map<string, number>(), faults: new Set<string>() };
	const people = deskShops(stack);
	const inTurn = atMost(AT_ONCE);
	/** How many requests got a 503 and were sent again. `links`: the URLs of those that went to the desk. */
	const busy = { requests: 0, links: new Set<string>() };
	const desk = deskForms(stack, people, (...request) => {
		const onBusy = () => {
			busy.requests += 1;
			busy.links.add(String(request[0]));
		};
		return inTurn(() => untilAccepted(() => ready().then(() => fetch(...request)), onBusy));
	});
	const areas = fictionalAreas();
	const used = new Map<string, number>();
	let shops = 0;

	/** Sends a request to the API. While one stack replaces another, a GET is repeated, and any other request waits. */
	const api = (path: string, sent: Parameters<typeof call>[2] = {}): Promise<ApiResponse> => {
		const onBusy = () => {
			busy.requests += 1;
		};
		const method = sent.method ?? (sent.body === undefined ? 'GET' : 'POST');
		const reads = method === 'GET';
		const ask = async () => {
			if (!reads) await ready();
			const before = contracts();
			const answer = await call(stack().base_url, path, sent);
			const both = contracts().filter((contract) => before.includes(contract));
			for (const contract of both) judge(contract, { method, path }, answer);
			return answer;
		};
		const send = () => inTurn(() => untilAccepted(ask, onBusy));
		return reads ? eventually(`GET ${path} is answered`, () => send().catch(() => null)) : send();
	};

	function judge(contract: Contract, asked: AskedOf, answered: ApiResponse): void {
		judged.answers.set(contract.name, (judged.answers.get(contract.name) ?? 0) + 1);
		const wrong = contract.wrong(asked, answered);
		if (wrong !== null) judged.faults.add(`as the API document of ${contract.name} does not say: ${wrong}`);
	}

	/**
	 * Signs in with the link in the next mail to the address. Requests another link in two cases. In the first, no mail comes,
	 * because the message of a worker that died comes back only after minutes. In the second, it is unknown whether pressing the
	 * link's button began a session.
	 */
	async function signIn(address: string, workspace: string): Promise<Shop['session']> {
		const before = busy.links.size;
		const askAgain = () => desk.send(desk.desk('sign-in'), { fields: { address } });
		const asking = setInterval(() => void askAgain().catch(() => null), NO_MAIL_MS);
		try {
			return await desk.signIn(address, workspace);
		} catch (error) {
			if (busy.links.size === before) throw error;
			await askAgain();
			return await desk.signIn(address, workspace);
		} finally {
			clearInterval(asking);
		}
	}

	/** A number that no call has used yet. Its last two digits decide how its phone behaves (docs/local-stack.md). */
	function number(ending: string): string {
		const nth = used.get(ending) ?? 0;
		used.set(ending, nth + 1);
		return `+1${areas[nth]}55501${ending}`;
	}

	/**
	 * Opens a shop with operator commands and the link that is mailed to its owner. If a command times out because the machine is
	 * busy, this starts over with a new shop.
	 */
	async function openShop(team: readonly string[], settings: readonly string[] = []): Promise<Shop> {
		for (;;) {
			try {
				return await openOnce(team, settings);
			} catch (error) {
				if (!isBusy(error)) throw error;
			}
		}
	}

	async function openOnce(team: readonly string[], settings: readonly string[]): Promise<Shop> {
		shops += 1;
		const mine = `${shops}-${process.pid}`;
		const name = `Shop ${mine}`;
		const origin = `https://shop-${mine}.example`;
		const owner = `owner-${mine}@shop.example`;
		const members = team.flatMap((member) => ['--team', member]);
		const { ops } = stack();
		const { id, workspace_key } = await ops(
			...['workspace', 'create', '--name', name, '--region', 'US', '--time-zone', 'America/New_York'],
			...(pages === null ? [] : ['--origin', pages.origin]),
			...['--origin', origin, '--owner', owner, '--team-email', `team-${mine}@shop.example`],
			...members,
			...UNLIMITED,
			...settings,
		);
		const session = await signIn(owner, id);
		const api_key = await newKey(session);
		const hook = await subscribe({ api_key }, 'healthy');
		return { id: String(id), name, owner, mine, workspace_key, allowed_origin: origin, api_key, session, hook };
	}

	/** Creates an API key with every permission, using the desk's form. */
	async function newKey(session: Shop['session']): Promise<string> {
		const shown = formsIn((await desk.send(desk.pageAt('keys'), session)).html);
		const form = shown.find(({ action }) => action === 'key_created');
		const ticks = Object.fromEntries(permissions.map((permission) => [permission, 'yes']));
		const { headers } = await desk.post(session, 'keys', { ...form, key_name: 'Server', ...ticks });
		const { html } = await desk.send(desk.pageAt(headers.get('location') ?? ''), session);
		const [key] = API_KEY.exec(html) ?? [];
		assert.ok(key !== undefined, 'the desk made no key');
		return key;
	}

	/** Sends a request as a server of the shop does. */
	const asServer = ({ api_key }: Pick<Shop, 'api_key'>, path: string, send: Parameters<typeof call>[2] = {}) =>
		api(path, { ...send, headers: { ...bearer(api_key), ...send.headers } });

	/** Creates an endpoint with a new receiver. It subscribes to all events unless `changes` name some. */
	async function subscribe(shop: Pick<Shop, 'api_key'>, conduct: Conduct, changes: object = {}): Promise<Hook> {
		const url = receivers.open(conduct);
		const body = { url, events: eventKinds, ...changes };
		const { status, json, text } = await asServer(shop, '/webhook-endpoints', { body });
		assert.equal(status, 201, text);
		return { id: String(json.data.id), url, secrets: [String(json.data.secret)] };
	}

	/** Sends what a visitor sends to request a call or a callback. */
	async function ask(
		shop: Pick<Shop, 'workspace_key' | 'allowed_origin'>,
		what: 'call-requests' | 'callback-leads',
		phone: string,
		changes: object = {},
	): Promise<Asked> {
		const body = visitorBody(shop, { phone, name: `Ada ${phone.slice(-4)}`, ...changes });
		const key = `key-${phone}`;
		return { ...(await place(shop, what, body, key)), body, key };
	}
	async function place({ allowed_origin }: Pick<Shop, 'allowed_origin'>, what: string, body: object, key: string) {
		const headers = { origin: allowed_origin, 'idempotency-key': key };
		const { status, json, text, headers: given } = await api(`/widget/${what}`, { body, headers });
		assert.ok(status === 202 || status === 201, `${what} answered ${status} ${text}`);
		return { id: String(json.data.id), secret: given.get('cancel-secret') ?? '' };
	}

	/** The status of a call, as the visitor's page reads it. */
	const statusOf = ({ allowed_origin }: Pick<Shop, 'allowed_origin'>, id: string) =>
		api(`/widget/call-requests/${id}/status`, { headers: { origin: allowed_origin } });

	return {
		...desk,
		signIn,
		/** How many requests were refused so far because the service was too busy. Each of them was sent again. */
		repeated: () => busy.requests,
		/** Whether a stack ended while a function worked on the call, so that the call may be set up too late. */
		wasInterrupted: (of: { readonly id: string; readonly created_at: string }) => wasInterrupted(endings(), of),
		/** How many responses were checked against each API document so far, and which of them violated the document. */
		judged: () => ({ answers: [...judged.answers], faults: [...judged.faults] }),
		stack,
		receivers,
		/** Null if this machine has no browser. */
		pages,
		/** Opens a page of the shop with the current widget. */
		async openPage({ workspace_key }: Shop, pinned: boolean): Promise<OpenPage> {
			if (pages === null) throw new Error('there is no browser');
			return pages.open({ workspace_key, base_url: stack().base_url }, pinned);
		},
		linkTo: people.linkTo,
		api,
		asServer,
		number,
		openShop,
		subscribe,
		ask,
		place,
		statusOf,
		/** Waits until a call has one of these statuses. */
		reach: (shop: Pick<Shop, 'allowed_origin'>, id: string, ...statuses: readonly string[]): Promise<string> =>
			eventually(`call ${id} is ${statuses.join(' or ')}`, async () => {
				const { status: code, json, text } = await statusOf(shop, id);
				assert.equal(code, 200, text);
				return statuses.includes(json.data.status) ? json.data.status : null;
			}),
		mails: () => eventually('the mailbox answers', () => mailbox(stack()).catch(() => null)),
	};
}
