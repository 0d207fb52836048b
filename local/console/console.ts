import { faultText, goHome, keepKey, readChanges } from './ask.ts';
import { byId, say } from './element.ts';
import { callsView } from './views/calls-view.ts';
import { showDial } from './views/dial-view.ts';
import { endpointsView } from './views/endpoints-view.ts';
import { showKeys } from './views/keys-view.ts';
import { leadsView } from './views/leads-view.ts';
import { logsView } from './views/logs-view.ts';
import { mailView } from './views/mail-view.ts';
import { shopView } from './views/shop-view.ts';
import { webhooksView } from './views/webhooks-view.ts';
import type { Facts } from './wire.ts';
import { showWorkspaces, workspace } from './workspace.ts';

/** How often the page polls while it is visible. */
const REFRESH_MS = 500;
const VIEWS = ['calls', 'webhooks', 'endpoints', 'leads', 'mailbox', 'logs', 'shop', 'keys'] as const;

const viewOf = (address: string) => VIEWS.find((view) => view === address.split('/')[0]) ?? 'calls';

/** Shows the view that the address names: `#webhooks`, or a webhook of it, opened: `#webhooks/<delivery>-<attempt>`. */
function showView(): void {
	const address = location.hash.slice(1);
	const current = viewOf(address);
	for (const view of VIEWS) {
		byId(view).hidden = view !== current;
		const link = document.querySelector(`nav a[href="#${view}"]`);
		if (view !== current) link?.removeAttribute('aria-current');
		else {
			link?.setAttribute('aria-current', 'page');
			link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
		}
	}
	if (!openWebhook(address)) scrollTo(0, 0);
}

/** Opens the webhook with this address, if it is there. */
function openWebhook(address: string): boolean {
	const webhook = document.getElementById(address);
	if (!(webhook instanceof HTMLDetailsElement)) return false;
	webhook.open = true;
	webhook.scrollIntoView({ block: 'start' });
	webhook.querySelector('summary')?.focus({ preventScroll: true });
	return true;
}

/** The elements of a list's view. */
const placesOf = (name: string) => ({
	list: byId(`${name}-list`),
	empty: byId(`no-${name}s`),
	bar: byId(`${name}-filter`),
});

function createViews(facts: () => Facts | null) {
	return [
		callsView(placesOf('call'), facts),
		webhooksView(placesOf('webhook')),
		leadsView(placesOf('lead'), facts),
		mailView(placesOf('mail')),
	];
}

type Link = { readonly state: 'up' | 'starting' | 'down'; readonly text: string };

function showLink({ state, text }: Link): void {
	const link = byId('link');
	link.className = state;
	say(link, text);
}

/** The page's state of the stack, and its updates. */
function createRefresh() {
	let facts: Facts | null = null;
	let token = '';
	const views = createViews(() => facts);
	/** Returns whether the stack is running. */
	const refresh = async (): Promise<boolean> => {
		const changes = await readChanges(token, workspace());
		const { stack } = changes;
		if (stack === null) return false;
		goHome(stack);
		// A restarted stack may have other keys.
		if (JSON.stringify(stack) !== JSON.stringify(facts)) showKeys(stack, byId('facts'), byId('curl'));
		facts = stack;
		if (changes.reload) {
			await Promise.all([...views.map(({ load }) => load()), showWorkspaces(stack.workspace_id)]);
			openWebhook(location.hash.slice(1));
		}
		// Only now, so that a page whose lists could not be read asks for them again.
		token = changes.token;
		for (const view of views) view.update(changes);
		return true;
	};
	return { refresh, facts: () => facts };
}

async function run(): Promise<void> {
	const { refresh, facts } = createRefresh();
	showDial(facts);
	// Polled only while they are visible.
	const looks: Readonly<Record<string, () => Promise<void>>> = {
		endpoints: endpointsView(),
		logs: logsView(),
		shop: shopView(),
	};
	for (;;) {
		if (!document.hidden) {
			const link = await refresh().then(
				(up): Link => (up ? { state: 'up', text: 'live' } : { state: 'starting', text: 'starting' }),
				(fault: unknown): Link => ({ state: 'down', text: faultText(fault) }),
			);
			showLink(link);
			if (link.state === 'up') await looks[viewOf(location.hash.slice(1))]?.().catch(() => undefined);
		}
		await new Promise((go) => setTimeout(go, REFRESH_MS));
	}
}

keepKey();
addEventListener('hashchange', showView);
showView();
void run();
