import type { DemoShop } from '../../console-server/demo-shop.ts';
import { read, send } from '../ask.ts';
import { byId, element, say } from '../element.ts';
import { demoNumber, isShopRegion, shopHours, shopRegions, shops } from '../shops.ts';

function select(id: string, label: string, options: readonly (readonly [string, string])[]) {
	const list = element('select', { id }, ...options.map(([value, name]) => element('option', { value }, name)));
	return { list, row: element('p', { class: 'field' }, element('label', { for: id }, label), list) };
}

/** A form for the demo shop's country and opening hours. A change takes effect from the next request. */
export function shopView() {
	const region = select(
		'shop-region',
		'Region',
		shopRegions.map((code) => [code, shops[code].name]),
	);
	const hours = select('shop-hours', 'Hours', Object.entries(shopHours));
	const status = element('p', { role: 'status', class: 'muted' });
	const apply = element('button', { class: 'primary' }, 'Move the shop');
	// Disabled until the shop's country is known, because an earlier choice would be lost.
	const choices = element('fieldset', { disabled: '' }, region.row, hours.row, apply);
	const form = element('form', { class: 'card' }, choices, status);
	byId('shop-form').append(form);
	let last_shop = '';

	function show(shop: DemoShop): void {
		last_shop = JSON.stringify(shop);
		choices.disabled = false;
		if (isShopRegion(shop.region)) region.list.value = shop.region;
		hours.list.value = shop.hours ?? '';
		const place = isShopRegion(shop.region) ? shops[shop.region].name : shop.region;
		say(byId('shop-place'), place);
		say(byId('shop-number'), isShopRegion(shop.region) ? demoNumber(shop.region, '01') : '+1 202 555 0101');
	}

	form.addEventListener('submit', (event) => {
		event.preventDefault();
		const wish = { region: region.list.value, hours: hours.list.value };
		const finish = async () => {
			const { problem } = await send('/shop/move', wish);
			if (problem === undefined) show(await read<DemoShop>('/shop'));
			say(status, problem ?? 'Saved.');
		};
		finish().catch(() => say(status, 'The stack does not answer.'));
	});

	return async (): Promise<void> => {
		const shop = await read<DemoShop | null>('/shop');
		if (shop !== null && last_shop !== JSON.stringify(shop)) show(shop);
	};
}
