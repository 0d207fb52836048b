/**
 * The countries in which the demo shop can be, with fictional numbers of their plans. The last digits decide what the
 * phones do.
 */
export const shops = {
	US: {
		name: 'United States',
		time_zone: 'America/New_York',
		lang: 'en',
		currency: 'USD',
		prefix: '+1 202 555 01',
		gap: '',
	},
	DE: { name: 'Germany', time_zone: 'Europe/Berlin', lang: 'de', currency: 'EUR', prefix: '+49 30 231251', gap: '' },
	GB: {
		name: 'United Kingdom',
		time_zone: 'Europe/London',
		lang: 'en',
		currency: 'GBP',
		prefix: '+44 20 7946 01',
		gap: '',
	},
	FR: { name: 'France', time_zone: 'Europe/Paris', lang: 'fr', currency: 'EUR', prefix: '+33 6 39 98 01', gap: ' ' },
	AU: {
		name: 'Australia',
		time_zone: 'Australia/Sydney',
		lang: 'en',
		currency: 'AUD',
		prefix: '+61 2 5550 00',
		gap: '',
	},
} as const;
export type ShopRegion = keyof typeof shops;

export const shopRegions: readonly ShopRegion[] = ['US', 'DE', 'GB', 'FR', 'AU'];

/** When the demo shop is open. */
export const shopHours = {
	always: 'Always open',
	office: 'Monday to Friday, 9 to 17',
	closed: 'Closed today and tomorrow',
} as const;
export type ShopHours = keyof typeof shopHours;

export function isShopRegion(region: string): region is ShopRegion {
	return Object.hasOwn(shops, region);
}

export function isShopHours(hours: string): hours is ShopHours {
	return Object.hasOwn(shopHours, hours);
}

/** A number of this region with these last two digits, which decide what its phone does, such as `01`: it answers. */
export function demoNumber(region: ShopRegion, ending: string): string {
	const { prefix, gap } = shops[region];
	return `${prefix}${gap}${ending}`;
}
