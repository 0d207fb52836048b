import { act, faultText, goHome, keepKey, readRecent } from './ask.ts';
import { elementById, say } from './element.ts';
import { callsView } from './views/calls-view.ts';
import { showDial } from './views/dial-view.ts';
import { logsView } from './views/logs-view.ts';
import { mailView } from './views/mail-view.ts';
import { webhooksView } from './views/webhooks-view.ts';
import { NEWEST, type Shown, type StackFacts } from './wire.ts';

/** How often the page polls while it is visible. */
const REFRESH_MS = 500;
const VIEWS = ['calls', 'webhooks', 'mailbox', 'logs'] as const;

const viewOf = (address: string) => VIEWS.find((view) => view === address.split('/')[0]) ?? 'calls';

/**
 * Shows the view that the address names. `#webhooks/<delivery>-<attempt>` also opens that webhook in the view `#webhooks`.
 */
function showView(): void {
	const address = location.hash.slice(1);
	const current = viewOf(address);
	for (const view of VIEWS) {
		elementById(view).hidden = view !== current;
		const link = document.querySelector(`nav a[href="#${view}"]`);
		if (view !== current) link?.removeAttribute('aria-current');
		else {
			link?.setAttribute('aria-current', 'page');
			link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
		}
	}
	if (!openWebhook(address)) scrollTo(0, 0);
}

function openWebhook(address: string): boolean {
	const webhook = document.getElementById(address);
	if (!(webhook instanceof HTMLDetailsElement)) return false;
	webhook.open = true;
	webhook.scrollIntoView({ block: 'start' });
	webhook.querySelector('summary')?.focus({ preventScroll: true });
	return true;
}

type Link = { readonly state: 'up' | 'starting' | 'down'; readonly text: string };

/** Buttons that open a page of the desk. The person is signed in as the desk's owner. */
function deskButtons(facts: () => StackFacts | null): void {
	for (const button of document.querySelectorAll<HTMLElement>('[data-desk]')) {
		button.addEventListener('click', () => {
			void act('/desk/')
				.catch(() => 'The stack does not answer.')
				.then((problem) => {
					say(elementById('refusal'), problem ?? '');
					if (problem === null) location.href = `${facts()?.base_url}/desk/${button.dataset['desk']}`;
				});
		});
	}
}

function createRefresh() {
	let facts: StackFacts | null = null;
	let token = '';
	let items: Shown | null = null;
	const views = [callsView(NEWEST.calls), webhooksView(NEWEST.webhooks), mailView(NEWEST.mails)];
	/** Returns whether the stack is running. */
	const refresh = async (): Promise<boolean> => {
		const recent = await readRecent(token);
		if (recent.stack === null) return false;
		goHome(recent.stack);
		facts = recent.stack;
		token = recent.token;
		const isFirst = items === null;
		items = recent.shown ?? items;
		if (items === null) return true;
		// Show the views again even if nothing has changed, because the duration of a live call grows.
		for (const view of views) view(items);
		if (isFirst) openWebhook(location.hash.slice(1));
		return true;
	};
	return { refresh, facts: () => facts };
}

async function run(): Promise<void> {
	const { refresh, facts } = createRefresh();
	const readLogs = logsView();
	showDial(facts);
	deskButtons(facts);
	for (;;) {
		if (!document.hidden) {
			const { state, text } = await refresh().then(
				(up): Link => (up ? { state: 'up', text: 'live' } : { state: 'starting', text: 'starting' }),
				(fault: unknown): Link => ({ state: 'down', text: faultText(fault) }),
			);
			elementById('link').className = state;
			say(elementById('link'), text);
			if (state === 'up' && !elementById('logs').hidden) await readLogs().catch(() => undefined);
		}
		await new Promise((go) => setTimeout(go, REFRESH_MS));
	}
}

keepKey();
addEventListener('hashchange', showView);
showView();
void run();
