import type { DemoShop } from '../console-server/demo-shop.ts';
import { faultText, goHome, keepKey, read, readChanges, readPage, send } from './ask.ts';
import { byId, element, say } from './element.ts';
import { speak } from './shop-language.ts';
import { demoNumber, isShopRegion, shopRegions, shops } from './shops.ts';
import { createStories, isLive } from './stories.ts';
import { timeline } from './timeline.ts';
import { describe } from './views/calls-view.ts';
import { eventsView } from './views/events-view.ts';
import type { CallPage, CallRecord, Changes, Facts, LeadRecord } from './wire.ts';

/** How often the panel polls while it is visible. */
const REFRESH_MS = 500;
const opened_at = new Date().toISOString();

/** The snippet that a customer pastes into a page, with this stack's key and addresses. */
function embed({ workspace_key, base_url }: Facts, shop: DemoShop | null): void {
	const script = document.createElement('script');
	script.src = '/widget/widget.js';
	script.async = true;
	script.dataset['workspaceKey'] = workspace_key;
	script.dataset['baseUrl'] = base_url;
	const lang = new URLSearchParams(location.search).get('lang') ?? shop?.language ?? null;
	speak(lang ?? 'en', shop !== null && isShopRegion(shop.region) ? shops[shop.region].currency : 'USD');
	script.dataset['avatar'] = 'Ida Wells';
	if (lang !== null) script.dataset['lang'] = lang;
	if (lang === 'ar') document.documentElement.dataset['widgetDir'] = 'rtl';
	document.head.append(script);
}

/** A click on a number opens the widget and types the number for the visitor. */
function typeNumbers(): void {
	for (const button of document.querySelectorAll<HTMLElement>('[data-number]')) {
		button.addEventListener('click', () => {
			byId('contact').click();
			void type(button.dataset['number'] ?? '');
		});
	}
}

/** The interval, and the maximum number, of attempts to type a number into a form that is still loading. */
const TYPE_AGAIN_MS = 50;
const TYPE_TRIES = 200;

/** Types a number when the form appears: the widget fetches the form when it opens. */
async function type(number: string): Promise<void> {
	for (let tries = 0; tries < TYPE_TRIES; tries += 1) {
		const widget = document.querySelector('call-back-widget');
		const phone = widget?.shadowRoot?.querySelector<HTMLInputElement>('[type=tel]');
		if (phone?.checkVisibility()) {
			phone.value = number;
			phone.dispatchEvent(new Event('input'));
			phone.focus();
			return;
		}
		await new Promise((go) => setTimeout(go, TYPE_AGAIN_MS));
	}
}

/** Moves the shop to another country, and shows it in that country's language. */
async function move(region: string, { hours }: DemoShop): Promise<void> {
	const { problem } = await send('/shop/move', { region, hours: hours ?? 'always' });
	if (problem === undefined) location.assign(location.pathname);
	else say(byId('place-refusal'), problem);
}

/** The shop's country with its numbers, and the choice of another. */
function showPlace(shop: DemoShop | null): void {
	if (shop === null || !isShopRegion(shop.region)) return;
	const place = element(
		'select',
		{ id: 'place' },
		...shopRegions.map((region) => element('option', { value: region }, shops[region].name)),
	);
	place.value = shop.region;
	// Moving the shop would overwrite the hours that an operator has set.
	place.disabled = shop.hours === null;
	place.addEventListener('change', () => {
		move(place.value, shop).catch(() => say(byId('place-refusal'), 'The stack does not answer.'));
	});
	byId('place').replaceWith(place);
	for (const button of document.querySelectorAll<HTMLElement>('[data-ending]')) {
		const number = demoNumber(shop.region, button.dataset['ending'] ?? '');
		button.dataset['number'] = number;
		say(button.querySelector('strong') ?? button, number);
	}
}

/** Shows the activity behind the shop: the newest call that this page can have requested, or its newest lead. */
function createScene() {
	const drawing = timeline();
	const events = eventsView();
	const stories = createStories();
	const calls = new Map<string, CallRecord>();
	const panel = document.querySelector('.backstage');
	let shown_id = '';
	byId('events').append(events.element);
	events.update(null, []);
	const take = (page: Pick<CallPage, 'rings' | 'webhooks'>, fresh: readonly CallRecord[]): void => {
		stories.take(page);
		for (const call of fresh) calls.set(call.id, call);
	};
	const showLead = ({ id, created_at }: LeadRecord): void => {
		if (created_at < opened_at) return;
		byId('lead').hidden = false;
		byId('lead').dataset['lead'] = id;
	};
	return {
		take: (page: CallPage) => take(page, page.data),
		update(changes: Changes): void {
			take(changes, changes.calls);
			changes.leads.forEach(showLead);
			const newest = [...calls.values()].map(stories.of).sort((a, b) => b.call.id.localeCompare(a.call.id));
			// The call that is shown stays until there is a newer one, also when it ends while an older one is live.
			const story = newest.find(
				(each) => each.call.id === shown_id || each.call.created_at >= opened_at || isLive(each),
			);
			if (story === undefined) return;
			shown_id = story.call.id;
			byId('phones').replaceChildren(drawing.element);
			panel?.classList.add('playing');
			drawing.element.classList.toggle('live', isLive(story));
			say(byId('call-state'), describe(story.call));
			drawing.update(story.call, story.rings, story.webhooks);
			events.update(story.call, story.webhooks);
		},
	};
}

async function run(): Promise<void> {
	const scene = createScene();
	let embedded = false;
	let token = '';
	typeNumbers();
	const refresh = async (): Promise<void> => {
		const changes = await readChanges(token, '');
		if (changes.stack === null) return;
		goHome(changes.stack);
		if (!embedded) {
			const shop = await read<DemoShop | null>('/shop').catch(() => null);
			showPlace(shop);
			embed(changes.stack, shop);
			embedded = true;
		}
		if (changes.reload) scene.take(await readPage<CallPage>('calls', {}));
		token = changes.token;
		scene.update(changes);
	};
	for (;;) {
		if (!document.hidden) await refresh().catch((fault) => say(byId('call-state'), faultText(fault)));
		await new Promise((go) => setTimeout(go, REFRESH_MS));
	}
}

keepKey();
void run();
