import { beforeAll, describe, expect, it } from '@jest/globals';
import { developerPages, shopPages } from '../../../shared/contract/desk/desk-pages.ts';
import { sessionCookie } from '../../../shared/domain/desk/session-cookie.ts';
import type { DeskRole } from '../../../shared/domain/workspaces/desk-person.ts';
import { actionNames, linkChanges, mayDo, pagesOfRole, wordOf } from '../../../shared/http/desk/actions.ts';
import type { Fields } from '../../../shared/http/edge/form-fields.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { createApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { createWebhookEndpoint } from '../../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { freshTalker } from '../../support/webhooks/customers.ts';
import { put } from '../../support/writes.ts';

// Tries every page and every form of the desk as every kind of person. The forms are read from the pages of an owner, so a new
// form is tried without a change here.

const { deps, store, newShop, invite, leaveNumber, requestCallFrom, pageAt, send, signIn, post, codeOf } =
	deskInMemory();
type Session = Awaited<ReturnType<typeof signIn>>;
type Shop = Awaited<ReturnType<typeof newShop>>;

const PAGES = [...shopPages, ...developerPages, 'calls.csv', 'leads.csv'] as const;
type Role = 'member' | 'developer' | 'none' | 'foreign';
const pagesOf = (role: Role): readonly string[] => (role === 'member' || role === 'developer' ? pagesOfRole[role] : []);
const actionsOf = (role: Role): readonly string[] =>
	role === 'member' || role === 'developer' ? actionNames.filter((name) => mayDo({ role }, name)).map(wordOf) : [];

const CONFIDENTIAL = 'Ysolde';

let shop: Shop;
let endpoint_id: string;
let deliveryId: string;
let leadId: string;
let callId: string;
let owner: Session;
/** All the other people who try the pages and forms, each with a session. `role`: what the table of rights calls the person. */
let others: readonly {
	readonly who: string;
	readonly session: Session;
	readonly role: Role;
}[];
let forms: readonly { readonly page: string; readonly fields: Fields }[] = [];

/** The forms on the pages that an owner sees, without the token of the owner's session. */
async function formsOf(session: Session): Promise<typeof forms> {
	const found = [];
	const dealt = `today?saved=lead_handled&id=${leadId}`;
	const details = [
		'today?leave',
		dealt,
		'site?look',
		'team?edit=m1',
		'site?consent',
		`webhooks?id=${endpoint_id}`,
		`deliveries?id=${deliveryId}`,
	];
	for (const page of [...shopPages, ...developerPages, ...details]) {
		for (const { token: _, ...fields } of formsIn((await send(pageAt(page), session)).html))
			found.push({ page, fields });
	}
	return found;
}

beforeAll(async () => {
	shop = await newShop('US', {
		ring_strategy: 'sequential',
		team: [`${CONFIDENTIAL} Wells:+13125550101`, 'Ben:+13125550102'],
	});
	const elsewhere = await newShop();
	leadId = await leaveNumber(shop, freshTalker(), `${CONFIDENTIAL} 0`);
	await leaveNumber(shop, freshTalker(), `${CONFIDENTIAL} 1`);
	await createApiKey({ workspace_id: shop.id, name: 'test', permissions: ['calls:read'] }, deps);
	const address = { workspace_id: shop.id, url: 'https://receiver.example/', description: null };
	const made = await createWebhookEndpoint({ ...address, events: ['call.requested'] }, deps);
	if (made.outcome !== 'created') throw new Error(made.outcome);
	endpoint_id = made.endpoint.id;
	callId = await requestCallFrom(shop, freshTalker(), `Visitor ${CONFIDENTIAL}`);
	deliveryId = deps.ids.next();
	const own = { id: deliveryId, workspace_id: shop.id, endpoint_id };
	const failure = { status: 'failed', due_at: null, next_attempt_at: null } as const;
	await store.commit([put('delivery', { ...samples.delivery, ...own, ...failure })]);
	const signed = async (address: string, role: DeskRole): Promise<Session> => {
		await invite(shop.id, address, role);
		return signIn(address, shop.id);
	};
	owner = await signIn(shop.owner, shop.id);
	const removed = await signed('removed@shop.example', 'owner');
	const ended = await signed('ended@shop.example', 'owner');
	const left = await signed('left@shop.example', 'owner');
	await post(owner, 'people', { action: 'person_removed', address: 'removed@shop.example' });
	await post(owner, 'people', { action: 'sessions_ended', address: 'ended@shop.example' });
	await post(left, 'today', { action: 'signed_out' });
	const forged = { cookie: sessionCookie(new Uint8Array(32)).split(';')[0] ?? '', token: owner.token };
	others = [
		{ who: 'a member', session: await signIn(shop.member, shop.id), role: 'member' },
		{ who: 'a developer', session: await signed('developer@shop.example', 'developer'), role: 'developer' },
		{ who: "another shop's owner", session: await signIn(elsewhere.owner, elsewhere.id), role: 'foreign' },
		{ who: "another shop's member", session: await signIn(elsewhere.member, elsewhere.id), role: 'foreign' },
		{ who: 'an owner who was removed', session: removed, role: 'none' },
		{ who: 'an owner whose sessions were ended', session: ended, role: 'none' },
		{ who: 'an owner who signed out', session: left, role: 'none' },
		{ who: 'a person who made a cookie up', session: forged, role: 'none' },
		{ who: 'a person without a session', session: { cookie: '', token: owner.token }, role: 'none' },
	];
	const shown = await formsOf(owner);
	await post(owner, 'team', fieldsOf(shown, 'member_off'));
	await post(owner, 'today', { action: 'paused', for: 'hour' });
	await post(owner, 'webhooks', { action: 'endpoint_disabled', id: endpoint_id });
	const closed = await formsOf(owner);
	await post(owner, 'today', fieldsOf(closed, 'resumed'));
	await post(owner, 'team', fieldsOf(closed, 'member_on'));
	await post(owner, 'webhooks', fieldsOf(closed, 'endpoint_enabled'));
	const actions = new Set<string | undefined>();
	// One form for each action. If a form needs an entry, the test enters something.
	forms = [...(await formsOf(owner)), ...closed].flatMap(({ page, fields }) => {
		const isNew = !actions.has(fields['action']);
		actions.add(fields['action']);
		return isNew ? [{ page, fields: { ...fields, ...ENTERED[fields['action'] ?? ''] } }] : [];
	});
});

const fieldsOf = (all: typeof forms, action: string): Fields =>
	all.find(({ fields }) => fields['action'] === action)?.fields ?? { action: `${action} is on no page` };

const ENTERED: Readonly<Record<string, Fields>> = {
	member_removed: { member_id: 'm1' },
	member_added: { member: 'Mallory', phone: '+14155550101' },
	person_invited: { address: 'mallory@evil.example', role: 'owner' },
	person_removed: { address: 'left@shop.example' },
	sessions_ended: { address: 'ended@shop.example' },
	endpoint_changed: { description: 'Orders' },
	endpoint_created: { url: 'https://93.184.215.14/', 'call.failed': 'yes' },
	key_created: { key_name: 'Mallory', 'calls:read': 'yes' },
};

/** Only pages of the release 28086779 have this form. */
const PUT_BACK = { page: 'team', fields: { action: 'member_put_back', member_id: 'm1' } } as const;

const NTH = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/**
 * The facts in a refusal that the person did not know before. Members know the visitors, developers read the audit list, and
 * everyone knows what they entered.
 */
function reveals(html: string, role: Role, entered: Fields = {}): readonly string[] {
	const own = Object.values(entered).filter((value) => value !== '');
	const othersOnly = own.reduce((text, value) => text.replaceAll(value, ''), html);
	const secrets = role === 'developer' ? [shop.workspace_key] : [shop.owner, shop.workspace_key];
	if (role === 'foreign' || role === 'none') secrets.push(CONFIDENTIAL, shop.member, shop.allowed_origin);
	return secrets.filter((secret) => othersOnly.includes(secret));
}

/** All data of the shop that a form can change. */
async function shopNow() {
	const all = { from_id: null, before_id: null, limit: 100 };
	return {
		workspace: await store.get('workspace', { id: shop.id }),
		leads: await store.list('callback_lead', shop.id, all),
		keys: await store.list('api_key', shop.id, all),
		endpoints: await store.endpointsOf(shop.id),
		lines: await store.list('desk_change', shop.id, all),
		retries: (await store.list('delivery', shop.id, all)).map(({ id, generation }) => [id, generation]),
	};
}

it('the pages have a form for every action', () => {
	const isOfLink = (action: string): boolean => linkChanges.some((each) => each === action);
	const actions = Object.keys(deskTextsIn('en').changes).filter((action) => !isOfLink(action));
	const shown = forms.map(({ fields }) => fields['action']);
	expect([...shown, PUT_BACK.fields.action].sort()).toEqual([...actions, 'signed_out'].sort());
});

describe('a page', () => {
	it('is shown to an owner', async () => {
		for (const page of PAGES) expect([page, (await send(pageAt(page), owner)).status]).toEqual([page, 200]);
	});

	it.each(NTH)('is shown to other people as the table of rights says (%i)', async (nth) => {
		const { who, session, role } = others[nth] ?? { who: '', session: owner, role: 'none' };
		for (const page of PAGES) {
			const { status, html } = await send(pageAt(page), session);
			const mayRead = pagesOf(role).includes(page);
			// The desk's start page redirects a developer to the first page that developers may see.
			const refused = role === 'developer' && page === 'today' ? 303 : 403;
			const own = mayRead ? 200 : refused;
			const expected = { member: own, developer: own, foreign: status, none: 401 }[role];
			expect([who, page, status]).toEqual([who, page, expected]);
			if (!mayRead) expect([who, page, reveals(html, role)]).toEqual([who, page, []]);
		}
	});

	it.each(NTH)(
		'about one call is shown to members and developers, and a developer does not see the name (%i)',
		async (nth) => {
			const { who, session, role } = others[nth] ?? { who: '', session: owner, role: 'none' };
			const { status, html } = await send(pageAt(`calls?id=${callId}`), session);
			const expected = { member: 200, developer: 200, foreign: status, none: 401 }[role];
			expect([who, status, html.includes(`Visitor ${CONFIDENTIAL}`)]).toEqual([who, expected, role === 'member']);
			if (role !== 'member') expect([who, reveals(html, role)]).toEqual([who, []]);
		},
	);
});

describe('a form', () => {
	it.each(NTH)(
		'that people send without the right to its action changes nothing and reveals nothing (%i)',
		async (nth) => {
			const { who, session, role } = others[nth] ?? { who: '', session: owner, role: 'none' };
			for (const { page, fields } of [...forms, PUT_BACK]) {
				const { action = '' } = fields;
				// `desk_left` is allowed to a person of another shop, because this person leaves only the desk of that shop.
				const isOwnAct = action === 'signed_out' || (action === 'desk_left' && role === 'foreign');
				if (isOwnAct || actionsOf(role).includes(action)) continue;
				const before = await shopNow();
				for (const token of [session.token, owner.token]) {
					for (const sentTo of [page, 'today']) {
						const { status, html } = await post({ ...session, token }, sentTo, fields);
						const refusals = { member: [403, 422], developer: [403, 422], foreign: [403, 409, 422, 303], none: [401] }[
							role
						];
						expect([who, action, refusals.includes(status), reveals(html, role, fields)]).toEqual([
							who,
							action,
							true,
							[],
						]);
					}
				}
				expect([who, action, await shopNow()]).toEqual([who, action, before]);
			}
		},
	);

	it('works for every action of an owner, and for the actions of others that the table of rights allows', async () => {
		// The retry comes first, because another form may disable the endpoint. The forms that remove a member, delete an endpoint
		// or leave the desk come last, because they would leave other forms without anything to change: a team of one cannot be
		// reordered, and a deleted endpoint has nothing to send.
		const first = forms.filter(({ fields }) => fields['action'] === 'delivery_retried');
		const ends = ['member_removed', 'endpoint_deleted', 'desk_left'];
		const last = forms.filter(({ fields }) => ends.includes(fields['action'] ?? ''));
		for (const { page, fields } of [...new Set([...first, ...forms.filter((form) => !last.includes(form)), ...last])]) {
			const { action = '' } = fields;
			if (action === 'signed_out') continue;
			const { session, role } = others.find((each) => actionsOf(each.role).includes(action)) ?? {
				session: owner,
				role: 'none',
			};
			// Read the form again, because the forms that were sent earlier in this loop may have changed it.
			const now = (await formsOf(owner)).find((form) => form.fields['action'] === action && form.page === page);
			const sentTo = pagesOf(role)[0] ?? page;
			const answer = await post(session, sentTo, { ...fields, ...now?.fields, ...ENTERED[action] });
			const isShown = ['endpoint_tested', 'deliveries_recovered'].includes(action);
			expect([action, answer.status, codeOf(answer)]).toEqual([action, isShown ? 200 : 303, undefined]);
			// The recovery in this test only counts deliveries, so it leaves no audit entry.
			const hasEntry = (await shopNow()).lines.some(({ change }) => change === action);
			expect([action, hasEntry]).toEqual([action, action !== 'deliveries_recovered']);
		}
	});
});
