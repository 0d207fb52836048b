import { formsIn } from '../../support/stack/forms-in-page.ts';
import { BASE_URL, type Bench } from '../bench/bench.ts';
import type { Request, Response } from '../bench/functions.ts';
import type { Dial } from '../bench/outside.ts';
import { present } from '../bench/parts.ts';

// The users of the service: visitors, team members on their phones, people at the desk, and customers' servers.

export type Shop = {
	readonly id: string;
	readonly workspace_key: string;
	readonly origin: string;
	/** The secret of an API key that has every permission. */
	readonly api_key: string;
};
export type Session = { readonly cookie: string; readonly token: string };
type Fields = Readonly<Record<string, string>>;

const ORIGIN = new URL(BASE_URL).origin;
export const form = (path: string, fields: Fields, cookie?: string): Request => ({
	method: 'POST',
	path,
	headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
	...(cookie !== undefined && { cookies: [cookie] }),
	body: String(new URLSearchParams(fields)),
});
export const api = (
	{ api_key }: Pick<Shop, 'api_key'>,
	method: string,
	path: string,
	body?: object,
	headers: Fields = {},
): Request => ({
	method,
	path: `/v1${path}`,
	headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', ...headers },
	...(body !== undefined && { body: JSON.stringify(body) }),
});
export const widget = ({ origin }: Pick<Shop, 'origin'>, method: string, path: string, body?: object): Request => ({
	method,
	path: `/v1/widget${path}`,
	headers: { origin, 'content-type': 'application/json' },
	...(body !== undefined && { body: JSON.stringify(body) }),
});
/** The body of a visitor's request, as the widget sends it. */
export const visitor = ({ workspace_key, origin }: Shop, phone: string, more: object = {}) => ({
	workspace_key,
	phone,
	name: 'Ada',
	consent: true,
	page_url: `${origin}/pricing`,
	...more,
});

export function peopleOf(bench: Bench) {
	/** Sends a request and returns its response. Throws if the status is 400 or higher. */
	async function must(request: Request): Promise<Response> {
		const response = await bench.ask(request);
		if (response.status >= 400) {
			const problem = /<meta name="problem" content="(\w+)">/.exec(response.body)?.[1] ?? response.body;
			throw new Error(`${request.method} ${request.path} answered ${response.status}: ${problem}`);
		}
		return response;
	}
	// biome-ignore lint/suspicious/noExplicitAny: the release says what it answers
	const json = async (request: Request): Promise<any> => JSON.parse((await must(request)).body || '{}');
	/** Runs an operator's command and returns its output. */
	// biome-ignore lint/suspicious/noExplicitAny: the release says what it prints
	async function ops(...args: readonly string[]): Promise<any> {
		const { code, out, err } = await bench.ops(...args, '--json');
		if (code !== 0) throw new Error(`ops ${args.slice(0, 4).join(' ')} …: ${out} ${err}`);
		return JSON.parse(out || '{}');
	}
	/** The newest mailed link to a path; null if there is none. */
	function newestLink(path: string, address: string): string | null {
		const links = bench.mailbox.mails().flatMap(({ to, text }) => {
			return to === address ? [...text.matchAll(new RegExp(`http\\S+/(${path}/\\S+)`, 'g'))].map(([link]) => link) : [];
		});
		const link = links.at(-1);
		return link === undefined ? null : new URL(link).pathname;
	}
	function mailedLink(path: string, address: string): string {
		const link = newestLink(path, address);
		if (link !== null) return link;
		throw new Error(`no mail to ${address} has a link to ${path}; logged last: ${bench.logged.at(-1)}`);
	}
	async function page(session: Pick<Session, 'cookie'>, path: string): Promise<Response> {
		return must({ method: 'GET', path: `/v1/desk/${path}`, cookies: [session.cookie] });
	}
	/** Opens the newest link to the desk and begins a session. `first`: a page that has a form and that the person may see. */
	async function signIn(address: string, workspace: string, first = 'pages/today'): Promise<Session> {
		const opened = await must(form(mailedLink('desk/links', address), { workspace }));
		const [cookie = ''] = (opened.cookies[0] ?? '').split(';');
		const { body } = await page({ cookie }, first);
		const [, token = ''] = /name="token" value="([^"]+)"/.exec(body) ?? [];
		return { cookie, token };
	}
	/** Finds the form for an action on a page, with the values that a browser would send if the person typed nothing. */
	async function formOn(session: Session, path: string, action: string, holds: Fields = {}): Promise<Fields> {
		const { body } = await page(session, path);
		const fits = (fields: Fields) => Object.entries(holds).every(([name, value]) => fields[name] === value);
		const found = formsIn(body).find((fields) => fields['action'] === action && fits(fields));
		if (found === undefined) {
			const others = formsIn(body).map((fields) => [fields['action'], fields['id'], fields['of']]);
			throw new Error(
				`the page ${path} has no form that does ${action} ${JSON.stringify(holds)}: ${JSON.stringify(others)}`,
			);
		}
		return found;
	}
	const press = async (session: Session, path: string, action: string, typed: Fields = {}, holds: Fields = {}) =>
		must(form(`/v1/desk/${path}`, { ...(await formOn(session, path, action, holds)), ...typed }, session.cookie));

	const dialOf = (callId: string, role: string, nth = 0): Dial => {
		const found = bench.phones.dials.filter((dial) => dial.call_id === callId && dial.role === role)[nth];
		if (found === undefined) throw new Error(`no dial of the ${role} for ${callId}`);
		return found;
	};
	type Fact = Parameters<Bench['callback']>[2];
	const now = () => new Date(present.now_ms).toISOString();
	/** A dialled phone, and what its person can do. */
	function phone({ leg_id }: Dial) {
		const times: { ringing_at?: string; answered_at?: string; accepted_at?: string } = {};
		const tell = async (route: 'status' | 'instructions', fact: Fact) => {
			await must(bench.callback(leg_id, route, { ...times, ...fact }));
			await bench.settle();
			await bench.pass(1000);
		};
		return {
			leg_id,
			async rings() {
				times.ringing_at = now();
				await tell('status', { rank: 'ringing' });
			},
			async answers() {
				times.answered_at = now();
				await tell('instructions', { rank: 'answered' });
			},
			async presses() {
				times.accepted_at = now();
				await tell('instructions', { rank: 'accepted' });
			},
			async ends(cause: NonNullable<Fact['cause']>) {
				await tell('status', { rank: 'ended', cause });
			},
		};
	}
	let visitors = 0;
	/** A visitor's number that was not used yet. */
	const nextNumber = (): string => {
		visitors += 1;
		return `+1202555${String(100 + visitors).padStart(4, '0')}`;
	};
	/** A visitor asks for a call, and the team's phones are dialled. */
	async function request(shop: Shop, more: object = {}, number = nextNumber()) {
		const response = await must(widget(shop, 'POST', '/call-requests', visitor(shop, number, more)));
		const { id }: { readonly id: string } = JSON.parse(response.body).data;
		await bench.settle();
		return { id, shop, number, cancel_secret: response.headers['cancel-secret'] ?? '' };
	}
	/** Connects the visitor with a team member. */
	async function connect(callId: string) {
		const agent = phone(dialOf(callId, 'agent'));
		await agent.rings();
		await agent.answers();
		await agent.presses();
		const visitorPhone = phone(dialOf(callId, 'visitor'));
		await visitorPhone.answers();
		return { agent, visitor: visitorPhone };
	}
	/** Lets every phone of the team ring until it stops. */
	async function miss(callId: string) {
		for (let nth = 0; ; nth += 1) {
			const dial = bench.phones.dials.filter((each) => each.call_id === callId && each.role === 'agent')[nth];
			if (dial === undefined) return;
			const agent = phone(dial);
			await agent.rings();
			await agent.ends('no_answer');
		}
	}
	return {
		must,
		json,
		ops,
		newestLink,
		mailedLink,
		page,
		signIn,
		formOn,
		press,
		dialOf,
		phone,
		nextNumber,
		request,
		connect,
		miss,
	};
}
export type People = ReturnType<typeof peopleOf>;
