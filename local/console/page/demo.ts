import { act, faultText, goHome, keepKey, read, readRecent } from './ask.ts';
import { element, elementById, say } from './element.ts';
import { isStoryLive } from './lanes.ts';
import { speak } from './shop-language.ts';
import { demoNumber, isShopRegion, shopRegions, shops } from './shops.ts';
import { timeline } from './timeline.ts';
import { describe } from './views/calls-view.ts';
import { eventsView } from './views/events-view.ts';
import type { DemoShop, Shown, StackFacts, Webhook } from './wire.ts';

/** How often the panel polls while it is visible. */
const REFRESH_MS = 500;
const openedAt = new Date().toISOString();

/** The query that shows the shop with departments instead of one team. */
const TEAMS = '?teams=departments';
const hasDepartments = (): boolean => new URLSearchParams(location.search).get('teams') === 'departments';

/** Shows a choice between one team and two departments. With departments, the widget asks which one to call. */
function showTeams(): void {
	const teams = element('select', { id: 'teams' });
	teams.append(...elementById('teams').childNodes);
	teams.value = hasDepartments() ? 'departments' : '';
	teams.addEventListener('change', () => location.assign(location.pathname + (teams.value === '' ? '' : TEAMS)));
	elementById('teams').replaceWith(teams);
	if (!hasDepartments()) return;
	for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a'))
		link.search += TEAMS.replace('?', '&');
}

/** Adds the snippet that a customer puts into a page, with the key and the addresses of this stack. */
function embed({ workspace_key, base_url }: StackFacts, shop: DemoShop | null): void {
	const script = document.createElement('script');
	script.src = '/widget/widget.js';
	script.async = true;
	script.dataset['workspaceKey'] = (hasDepartments() && shop?.departments) || workspace_key;
	script.dataset['baseUrl'] = base_url;
	const lang = new URLSearchParams(location.search).get('lang') ?? shop?.language ?? null;
	speak(lang ?? 'en', shop !== null && isShopRegion(shop.region) ? shops[shop.region].currency : 'USD');
	script.dataset['avatar'] = 'Ida Wells';
	if (lang !== null) script.dataset['lang'] = lang;
	if (lang === 'ar') document.documentElement.dataset['widgetDir'] = 'rtl';
	document.head.append(script);
}

function typeNumbers(): void {
	for (const button of document.querySelectorAll<HTMLElement>('[data-number]')) {
		button.addEventListener('click', () => {
			elementById('contact').click();
			void type(button.dataset['number'] ?? '');
		});
	}
}

/**
 * Types a number into the form. This function waits up to ten seconds until the form appears, because the widget loads the
 * form only when the widget opens.
 */
async function type(number: string): Promise<void> {
	for (let tries = 0; tries < 200; tries += 1) {
		const widget = document.querySelector('call-back-widget');
		const phone = widget?.shadowRoot?.querySelector<HTMLInputElement>('[type=tel]');
		if (phone?.checkVisibility()) {
			phone.value = number;
			phone.dispatchEvent(new Event('input'));
			phone.focus();
			return;
		}
		await new Promise((go) => setTimeout(go, 50));
	}
}

async function move(region: string): Promise<void> {
	const problem = await act('/shop/move', { region });
	if (problem === null) location.assign(location.pathname + (hasDepartments() ? TEAMS : ''));
	else say(elementById('place-refusal'), problem);
}

function showPlace(shop: DemoShop | null): void {
	if (shop === null || !isShopRegion(shop.region)) return;
	const place = element(
		'select',
		{ id: 'place' },
		...shopRegions.map((region) => element('option', { value: region }, shops[region].name)),
	);
	place.value = shop.region;
	place.addEventListener('change', () => {
		move(place.value).catch(() => say(elementById('place-refusal'), 'The stack does not answer.'));
	});
	elementById('place').replaceWith(place);
	for (const button of document.querySelectorAll<HTMLElement>('[data-ending]')) {
		const number = demoNumber(shop.region, button.dataset['ending'] ?? '');
		button.dataset['number'] = number;
		say(button.querySelector('strong') ?? button, number);
	}
}

/** Shows what happens behind the shop: the newest call that this page may have requested, and whether a lead has arrived. */
function createScene() {
	const drawing = timeline();
	const events = eventsView();
	const panel = document.querySelector('.backstage');
	let currentId = '';
	elementById('events').append(events.element);
	events.update(null);
	return ({ calls, webhooks }: Shown): void => {
		const isLead = (one: Webhook) =>
			one.headers['service-event'] === 'callback.requested' && one.received_at > openedAt;
		if (webhooks.some(isLead)) elementById('lead').hidden = false;
		// A call stays visible until there is a newer call, even if it has ended and an older call is still live.
		const story = calls
			.toSorted((a, b) => b.id.localeCompare(a.id))
			.find((each) => each.id === currentId || each.call.created_at >= openedAt || isStoryLive(each));
		if (story === undefined) return;
		currentId = story.id;
		elementById('phones').replaceChildren(drawing.element);
		panel?.classList.add('playing');
		drawing.element.classList.toggle('live', isStoryLive(story));
		say(elementById('call-state'), describe(story.call));
		drawing.update(story);
		events.update(story);
	};
}

async function run(): Promise<void> {
	const update = createScene();
	let embedded = false;
	let token = '';
	let items: Shown | null = null;
	typeNumbers();
	showTeams();
	const refresh = async (): Promise<void> => {
		const recent = await readRecent(token);
		if (recent.stack === null) return;
		goHome(recent.stack);
		if (!embedded) {
			if (hasDepartments()) say(elementById('place-refusal'), (await act('/departments/open')) ?? '');
			const shop = await read<DemoShop | null>('/shop').catch(() => null);
			showPlace(shop);
			embed(recent.stack, shop);
			embedded = true;
		}
		token = recent.token;
		items = recent.shown ?? items;
		if (items !== null) update(items);
	};
	for (;;) {
		if (!document.hidden) await refresh().catch((fault) => say(elementById('call-state'), faultText(fault)));
		await new Promise((go) => setTimeout(go, REFRESH_MS));
	}
}

keepKey();
void run();
