import { act, read } from '../ask.ts';
import { actionButton, element, say } from '../element.ts';
import { inWords } from '../lanes.ts';
import { clockTime, type DeliveryDetail, type DeliveryRecord, whenText } from '../wire.ts';

type Detail = NonNullable<DeliveryDetail['delivery']['data']>;
export type Attempt = Detail['attempts'][number];

function pretty(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

const block = (label: string, text: string): HTMLElement =>
	element('div', {}, element('p', { class: 'label' }, label), element('pre', { tabindex: '0' }, text));

function requestBlock(request: DeliveryDetail['request']): HTMLElement {
	if (request === null) return element('p', { class: 'muted' }, 'What was sent is no longer kept.');
	const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
	return block('Request', [`POST ${request.url}`, ...headers, '', pretty(request.body)].join('\n'));
}

export function attemptBlock({
	number,
	started_at,
	response_status,
	error,
	hint,
	timings,
	response_body,
}: Attempt): HTMLElement {
	const what = [response_status ?? [], error === null ? [] : inWords(error)].flat().join(', ');
	const phases = Object.entries(timings).filter(([, ms]) => ms !== null);
	const took = phases.map(([phase, ms]) => `${phase.replace('_ms', '').replace('_', ' ')} ${Math.round(ms ?? 0)} ms`);
	const lines = [
		what,
		...(hint === null ? [] : [hint]),
		took.join(', '),
		...(response_body ? ['', response_body] : []),
	];
	return block(`Attempt ${number} at ${clockTime(started_at)}`, lines.join('\n'));
}

/** A delivery on one line. Opened, it shows the request, and the response to each attempt. */
export function deliveryItem(first: DeliveryRecord) {
	const chip = element('span');
	const attempts = element('span', { class: 'muted' });
	const details = element('div', { class: 'opened' });
	const time = element('time', { datetime: first.created_at }, whenText(first.created_at));
	const visitor = element('span', { class: 'muted' }, first.visitor);
	const summary = element('summary', {}, time, element('strong', {}, first.event), visitor, attempts, chip);
	const card = element('details', { class: 'card webhook delivery' }, summary, details);
	const resend = actionButton('Resend', async () => (await act(`/resend/${first.id}`)) ?? 'Queued');
	let sign = '';

	async function load(): Promise<void> {
		const { delivery, request } = await read<DeliveryDetail>(`/delivery/${first.id}`);
		const answers = element('div', {}, ...(delivery.data?.attempts ?? []).map(attemptBlock), element('p', {}, resend));
		details.replaceChildren(requestBlock(request), answers);
	}
	card.addEventListener('toggle', () => {
		if (card.open) load().catch(() => say(details, 'The stack does not answer.'));
	});

	return {
		element: card,
		update(delivery: DeliveryRecord): void {
			const { status, attempt_count, error, response_status } = delivery;
			const now = JSON.stringify(delivery);
			if (now === sign) return;
			const again = sign !== '' && card.open;
			sign = now;
			chip.className = `chip delivery-${status}`;
			say(chip, status);
			const what = error === null ? response_status : inWords(error);
			const times = `${attempt_count} ${attempt_count === 1 ? 'attempt' : 'attempts'}`;
			say(attempts, what === null ? times : `${times}, last: ${what}`);
			if (again) load().catch(() => undefined);
		},
	};
}
