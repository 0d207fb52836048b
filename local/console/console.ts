import { callsView } from './calls-view.ts';
import { byId } from './element.ts';
import { showKeys } from './keys-view.ts';
import { leadsView } from './leads-view.ts';
import { mailView } from './mail-view.ts';
import { webhooksView } from './webhooks-view.ts';
import { type Facts, readFacts, readSnapshot, type Snapshot } from './wire.ts';

/** How often the page asks what is new, while somebody looks at it. */
const REFRESH_MS = 500;
const VIEWS = ['calls', 'webhooks', 'leads', 'mailbox', 'keys'] as const;

function showView(): void {
	const wanted = VIEWS.find((view) => `#${view}` === location.hash) ?? 'calls';
	for (const view of VIEWS) {
		byId(view).hidden = view !== wanted;
		const link = document.querySelector(`nav a[href="#${view}"]`);
		if (view === wanted) link?.setAttribute('aria-current', 'page');
		else link?.removeAttribute('aria-current');
	}
	scrollTo(0, 0);
}

function createViews() {
	const calls = callsView(byId('call-list'), byId('no-calls'));
	const webhooks = webhooksView(byId('webhook-list'), byId('no-webhooks'));
	const leads = leadsView(byId('lead-list'), byId('no-leads'));
	const mails = mailView(byId('mail-list'), byId('no-mail'));
	const count = (view: keyof Snapshot, id: string) => (snapshot: Snapshot) => {
		byId(id).textContent = String(snapshot[view].length);
	};
	const counts = [
		count('calls', 'call-count'),
		count('webhooks', 'webhook-count'),
		count('leads', 'lead-count'),
		count('mails', 'mail-count'),
	];
	return (snapshot: Snapshot, facts: Facts): void => {
		calls(snapshot, facts);
		webhooks(snapshot.webhooks);
		leads(snapshot.leads, facts);
		mails(snapshot.mails);
		for (const show of counts) show(snapshot);
	};
}

/** For screen readers: what the newest call does, each time it changes. */
function announcer(place: HTMLElement) {
	return ({ calls }: Snapshot): void => {
		const newest = calls[0];
		const text = newest ? `Newest call: ${newest.status}` : '';
		if (place.textContent !== text) place.textContent = text;
	};
}

/** One look at the stack; answers its addresses and keys once it has told them. */
function createRefresh(): (facts: Facts | null) => Promise<Facts | null> {
	const views = createViews();
	const announce = announcer(byId('news'));
	return async (before) => {
		const facts = before ?? (await readFacts());
		if (facts === null) return null;
		if (before === null) {
			const places = { keys: byId('facts'), curl: byId('curl'), numbers: byId('numbers'), said: byId('refusal') };
			showKeys(facts, places);
		}
		const snapshot = await readSnapshot();
		views(snapshot, facts);
		announce(snapshot);
		return facts;
	};
}

function showLink(state: 'up' | 'starting' | 'down'): void {
	const link = byId('link');
	const text = { up: 'live', starting: 'starting', down: 'the stack does not answer' }[state];
	link.className = state;
	if (link.textContent !== text) link.textContent = text;
}

async function run(): Promise<void> {
	const refresh = createRefresh();
	let facts: Facts | null = null;
	for (;;) {
		if (!document.hidden) {
			try {
				facts = await refresh(facts);
				showLink(facts === null ? 'starting' : 'up');
			} catch {
				showLink('down');
			}
		}
		await new Promise((go) => setTimeout(go, REFRESH_MS));
	}
}

addEventListener('hashchange', showView);
showView();
void run();
