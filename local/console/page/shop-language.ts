import translated from './shop-texts.json' with { type: 'json' };

/**
 * The translations of the shop's page, by language and by the names in its `data-text` attributes. The page itself is in
 * English.
 */
const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = translated;

/**
 * Shows the shop's page in this language, if there is a translation, with prices in the shop's currency. The panel next to
 * the shop stays in English.
 */
export function speak(language: string, currency: string): void {
	const ownTexts = texts[language];
	const shop = document.querySelector<HTMLElement>('.shop');
	if (shop === null) return;
	if (ownTexts !== undefined) {
		shop.lang = language;
		document.title = ownTexts['title'] ?? document.title;
	}
	for (const place of shop.querySelectorAll<HTMLElement>('[data-text]')) {
		place.textContent = ownTexts?.[place.dataset['text'] ?? ''] ?? place.textContent;
	}
	const money = new Intl.NumberFormat(ownTexts === undefined ? 'en' : language, {
		style: 'currency',
		currency,
		maximumFractionDigits: 0,
	});
	for (const place of shop.querySelectorAll<HTMLElement>('[data-price]')) {
		place.textContent = money.format(Number(place.dataset['price']));
	}
}
