/**
 * The countries of the demo shop, with fictional numbers of their numbering plans. The last digits of a number decide what
 * its phone does.
 */
export const shops = {
	US: { name: 'United States', time_zone: 'America/New_York', currency: 'USD', prefix: '+1 202 555 01', gap: '' },
	DE: { name: 'Germany', time_zone: 'Europe/Berlin', currency: 'EUR', prefix: '+49 30 231251', gap: '' },
	GB: { name: 'United Kingdom', time_zone: 'Europe/London', currency: 'GBP', prefix: '+44 20 7946 01', gap: '' },
	FR: { name: 'France', time_zone: 'Europe/Paris', currency: 'EUR', prefix: '+33 6 39 98 01', gap: ' ' },
	AU: { name: 'Australia', time_zone: 'Australia/Sydney', currency: 'AUD', prefix: '+61 2 5550 00', gap: '' },
} as const;
export type ShopRegion = keyof typeof shops;

export const shopRegions: readonly ShopRegion[] = ['US', 'DE', 'GB', 'FR', 'AU'];

export function isShopRegion(region: string): region is ShopRegion {
	return Object.hasOwn(shops, region);
}

/** A number of this region with these last two digits. The digits decide what the phone does: `01` answers, for example. */
export function demoNumber(region: ShopRegion, ending: string): string {
	const { prefix, gap } = shops[region];
	return `${prefix}${gap}${ending}`;
}
