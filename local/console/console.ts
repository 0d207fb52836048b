import { faultText, goHome, keepKey, readSnapshot } from './ask.ts';
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
import type { Facts, Snapshot } from './wire.ts';

/** How often the page polls while it is visible. */
const REFRESH_MS = 500;
const VIEWS = ['calls', 'webhooks', 'endpoints', 'leads', 'mailbox', 'logs', 'shop', 'keys'] as const;

const viewOf = (address: string) => VIEWS.find((view) => view === address.split('/')[0]) ?? 'calls';

/** Shows the view that the address names: `#webhooks`, or a webhook of it, opened: `#webhooks/<delivery>-<attempt>`. */
function showView(): void {
	const address = location.hash.slice(1);
	const wanted = viewOf(address);
	for (const view of VIEWS) {
		byId(view).hidden = view !== wanted;
		const link = document.querySelector(`nav a[href="#${view}"]`);
		if (view !== wanted) link?.removeAttribute('aria-current');
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

function countOf({ calls, webhooks, leads, mails }: Snapshot): Readonly<Record<string, string>> {
	const listed = ({ data = [], has_more = false }: Snapshot['calls'] | Snapshot['leads']) =>
		`${data.length}${has_more ? '+' : ''}`;
	return {
		'call-count': listed(calls),
		'webhook-count': `${webhooks.length}`,
		'lead-count': listed(leads),
		'mail-count': `${mails.length}`,
	};
}

/** Announces each change of the newest call to screen readers. */
function announce({ calls }: Snapshot): void {
	const newest = calls.data?.[0];
	say(byId('news'), newest ? `Newest call: ${newest.status}` : '');
}

function createViews(): (snapshot: Snapshot) => void {
	const views = [
		callsView({ list: byId('call-list'), empty: byId('no-calls'), more: byId('more-calls'), bar: byId('call-filter') }),
		webhooksView({ list: byId('webhook-list'), empty: byId('no-webhooks'), bar: byId('webhook-filter') }),
		leadsView(byId('lead-list'), byId('no-leads')),
		mailView(byId('mail-list'), byId('no-mail')),
		announce,
	];
	return (snapshot) => {
		for (const show of views) show(snapshot);
		for (const [id, text] of Object.entries(countOf(snapshot))) say(byId(id), text);
	};
}

type Link = { readonly state: 'up' | 'starting' | 'down'; readonly text: string };

function showLink({ state, text }: Link): void {
	const link = byId('link');
	link.className = state;
	say(link, text);
}

/** The page's state of the stack, and its updates. */
function createRefresh() {
	const show = createViews();
	let facts: Facts | null = null;
	/** Returns whether the stack is running. */
	const refresh = async (): Promise<boolean> => {
		const snapshot = await readSnapshot();
		const { stack } = snapshot;
		if (stack === null) return false;
		goHome(stack);
		const first = facts === null;
		// A restarted stack may have other keys.
		if (JSON.stringify(stack) !== JSON.stringify(facts)) showKeys(stack, byId('facts'), byId('curl'));
		facts = stack;
		show(snapshot);
		if (first) openWebhook(location.hash.slice(1));
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
