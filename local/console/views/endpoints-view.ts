import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import { type Done, read, send } from '../ask.ts';
import { actionButton, byId, copyButton, element, keyedList, say } from '../element.ts';
import { listView } from '../filter.ts';
import { inWords } from '../lanes.ts';
import { clockTime, type DeliveryRecord, type Endpoint } from '../wire.ts';
import { type Attempt, attemptBlock, deliveryItem } from './delivery-item.ts';

const STATES = ['pending', 'succeeded', 'failed', 'held', 'canceled'];

/** The health of an endpoint, in one sentence. */
function healthOf({ failing_since, consecutive_failures, next_attempt_at, live_secrets, events }: Endpoint): string {
	const failing =
		failing_since === null ? 'Healthy.' : `${consecutive_failures} failed in a row since ${clockTime(failing_since)}.`;
	const probe = next_attempt_at === null ? '' : ` Paused; next try at ${clockTime(next_attempt_at)}.`;
	const secrets = live_secrets === 1 ? '' : ` ${live_secrets} signing secrets active.`;
	return `${failing}${probe}${secrets} Subscribed to ${events.join(', ')}.`;
}

/** A secret that is shown once, or the reason why there is none. */
function showSecret(place: HTMLElement, { data, problem }: Done): string {
	if (data?.secret === undefined) {
		place.replaceChildren(element('p', { role: 'alert' }, problem ?? 'There was no answer.'));
		return 'Did not work';
	}
	const { secret } = data;
	place.replaceChildren(
		element(
			'p',
			{ class: 'secret' },
			'New signing secret, shown only now: ',
			element('code', {}, secret),
			' ',
			copyButton(secret),
		),
	);
	return 'Done';
}

/** How the receiver answered a test: status, times, hint and body. */
function showTest(place: HTMLElement, { data, problem }: Done<Attempt>): string {
	place.replaceChildren(
		data === undefined
			? element('p', { role: 'alert' }, problem ?? 'There was no answer.')
			: element('div', { class: 'test' }, attemptBlock(data)),
	);
	return data?.error === null ? 'Delivered' : 'Failed';
}

/** The buttons of an endpoint: a new secret and the result of an action are shown in places of their own. */
function endpointActions(id: string, secret: HTMLElement, result: HTMLElement) {
	const showOutcome = async (done: Promise<Done>, word: string) => {
		const { problem } = await done;
		result.replaceChildren(...(problem === undefined ? [] : [element('p', { role: 'alert' }, problem)]));
		return problem === undefined ? word : 'Did not work';
	};
	const test = actionButton('Send a test', async () => showTest(result, await send<Attempt>(`/test-endpoint/${id}`)));
	const rotate = actionButton(
		'Rotate secret',
		async () => showSecret(secret, await send(`/rotate/${id}`)),
		'Make a new signing secret? The one before signs beside it for a day.',
	);
	const enable = actionButton('Enable', () => showOutcome(send(`/enable/${id}`), 'Enabled'));
	const disable = actionButton(
		'Disable',
		() => showOutcome(send(`/disable/${id}`), 'Disabled'),
		'Disable this endpoint? Its deliveries are held until it is enabled.',
	);
	return { test, rotate, enable, disable };
}

function endpointCard(first: Endpoint) {
	const { id, url, description } = first;
	const status = element('span');
	const breaker = element('span');
	const health = element('p', { class: 'muted health' });
	const secret = element('div', { role: 'status' });
	const result = element('div', { role: 'status' });
	const { test, rotate, enable, disable } = endpointActions(id, secret, result);
	const places = {
		list: element('div', { class: 'list tight' }),
		empty: element('p', { class: 'muted' }, 'Nothing was sent to it yet.'),
		bar: element('div'),
	};
	const lists = element('div', {}, places.bar, places.empty, places.list);
	const deliveries = listView<DeliveryRecord>(places, {
		about: 'deliveries',
		states: STATES,
		nothing: 'No delivery matches.',
		list: `deliveries/${id}`,
		keyOf: (delivery) => delivery.id,
		show: keyedList(places.list, (delivery: DeliveryRecord) => delivery.id, deliveryItem),
	});
	const loading = deliveries.load().catch(() => undefined);

	const card = element(
		'article',
		{ class: 'card endpoint' },
		element('header', {}, element('h3', {}, url), status, breaker),
		...(description === null ? [] : [element('p', { class: 'muted' }, description)]),
		...[health, element('footer', {}, test, rotate, enable, disable, element('code', {}, id)), secret, result],
		element('h4', {}, 'Deliveries'),
		lists,
	);
	return {
		element: card,
		/** When the first deliveries are there. */
		loaded: loading,
		update(endpoint: Endpoint): void {
			const { status: now, disabled_reason } = endpoint;
			status.className = `chip endpoint-${now}`;
			say(status, disabled_reason === null ? now : `${now}: ${inWords(disabled_reason)}`);
			breaker.className = `chip breaker-${endpoint.breaker}`;
			say(breaker, `breaker ${endpoint.breaker}`);
			say(health, healthOf(endpoint));
			enable.hidden = now === 'enabled';
			disable.hidden = now === 'disabled';
			void deliveries.refresh().catch(() => undefined);
		},
	};
}

/** A form that subscribes another URL of the developer to every event. */
function subscribeForm(): HTMLElement {
	const url = element('input', {
		id: 'subscribe-url',
		type: 'url',
		required: '',
		placeholder: 'https://localhost:9443/hooks',
	});
	const status = element('div', { role: 'status' });
	const form = element(
		'form',
		{ class: 'card subscribe' },
		element('label', { for: 'subscribe-url' }, 'Subscribe an address of yours to every event'),
		element('div', { class: 'line' }, url, element('button', {}, 'Subscribe')),
		element(
			'p',
			{ class: 'muted' },
			'An address of this machine needs npm start -- --allow-webhook-host localhost:9443 --trust ca.pem.',
		),
		status,
	);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		const wish = { url: url.value, events: eventKinds, description: 'Subscribed in the console' };
		send('/subscribe/', wish).then(
			(done) => void showSecret(status, done),
			() => say(status, 'The stack does not answer.'),
		);
	});
	return form;
}

/** The endpoints of the demo workspace, with their health and deliveries. */
export function endpointsView() {
	byId('subscribe').append(subscribeForm());
	const cards = new Map<string, ReturnType<typeof endpointCard>>();
	const cardOf = (endpoint: Endpoint) => {
		const card = cards.get(endpoint.id) ?? endpointCard(endpoint);
		cards.set(endpoint.id, card);
		return card;
	};
	const show = keyedList(byId('endpoint-list'), ({ id }: Endpoint) => id, cardOf);
	return async (): Promise<void> => {
		const endpoints = await read<readonly Endpoint[]>('/endpoints');
		// At once with its deliveries, so that the page does not grow under the reader.
		await Promise.all(endpoints.map((endpoint) => cardOf(endpoint).loaded));
		byId('endpoints-loading').hidden = true;
		byId('no-endpoints').hidden = endpoints.length > 0;
		show(endpoints);
	};
}
