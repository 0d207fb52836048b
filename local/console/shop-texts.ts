/** What the shop's page says, by the names in its `data-text`; it is written in English. */
type ShopTexts = Readonly<Record<string, string>>;

const de: ShopTexts = {
	title: 'Ilex - Gartenwerkzeug zum Vererben',
	tools: 'Werkzeug',
	care: 'Pflege',
	contact: 'Kontakt',
	headline: 'Werkzeug, um das sich Ihre Enkel streiten werden',
	promise:
		'Von vier Menschen in einer kleinen Werkstatt geschmiedet, geschliffen und geschärft. Neue Griffe gibt es ein Leben lang.',
	talk: 'Mit einer Schmiedin sprechen',
	knife: 'Gartenmesser',
	knife_text: 'Kohlenstoffstahl, Olivenholz. Klappt mit einem Klang zu, den Sie mögen werden.',
	spade: 'Grabespaten',
	spade_text: 'Handgeschmiedete Tülle, Stiel aus Esche. Ausgewogen für eine Stunde, nicht für eine Minute.',
	shears: 'Rosenschere',
	shears_text: 'Jede Schraube ist ersetzbar, jede Klinge schärfen wir kostenlos nach.',
	question: 'Unsicher, was das Richtige ist?',
	answer:
		'Hinterlassen Sie Ihre Nummer. Wir rufen innerhalb einer Minute zurück, und wer abhebt, hat das Stück selbst gemacht.',
	made_up: 'Ilex ist erfunden. Das Widget in der Ecke nicht.',
};
const fr: ShopTexts = {
	title: 'Ilex - des outils de jardin à transmettre',
	tools: 'Outils',
	care: 'Entretien',
	contact: 'Contact',
	headline: 'Des outils que vos petits-enfants se disputeront',
	promise: 'Forgés, meulés et affûtés par quatre personnes dans un petit atelier. Les manches sont remplacés à vie.',
	talk: 'Parler à une artisane',
	knife: 'Serpette',
	knife_text: 'Acier au carbone, bois d’olivier. Se referme avec un son que vous aimerez.',
	spade: 'Bêche',
	spade_text: 'Douille forgée à la main, manche en frêne. Équilibrée pour une heure, pas pour une minute.',
	shears: 'Sécateur à rosiers',
	shears_text: 'Chaque vis se remplace, chaque lame est réaffûtée gratuitement.',
	question: 'Vous hésitez ?',
	answer: 'Laissez votre numéro. Nous vous rappelons dans la minute, et la personne qui répond a fabriqué l’outil.',
	made_up: 'Ilex est inventé. Le widget dans le coin ne l’est pas.',
};
const texts: Readonly<Record<string, ShopTexts>> = { de, fr };

/** Lets the shop's page speak this language, if it can, with prices in its currency. The panel beside it stays English. */
export function speak(language: string, currency: string): void {
	const known = texts[language];
	const shop = document.querySelector<HTMLElement>('.shop');
	if (shop === null) return;
	if (known !== undefined) {
		shop.lang = language;
		document.title = known['title'] ?? document.title;
	}
	for (const place of shop.querySelectorAll<HTMLElement>('[data-text]')) {
		place.textContent = known?.[place.dataset['text'] ?? ''] ?? place.textContent;
	}
	const money = new Intl.NumberFormat(known === undefined ? 'en' : language, {
		style: 'currency',
		currency,
		maximumFractionDigits: 0,
	});
	for (const place of shop.querySelectorAll<HTMLElement>('[data-price]')) {
		place.textContent = money.format(Number(place.dataset['price']));
	}
}
