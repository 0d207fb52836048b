import { createHash } from 'node:crypto';
import { type Language, languages } from './language.ts';

/** What a visitor agrees to: a call now, or a callback later. */
export const consentCases = ['call', 'lead'] as const;
export type ConsentCase = (typeof consentCases)[number];
export type ConsentTexts = Readonly<Partial<Record<Language, Readonly<Partial<Record<ConsentCase, string>>>>>>;
/** A text and the id by which a request names it. If the text changes, so does the id. */
export type ConsentText = { readonly id: string; readonly text: string };

/**
 * The general text of a workspace that has set no text. If a page does not say which text it shows, the visitor's consent is
 * stored with the general text.
 */
export const PLAIN_CONSENT = 'I agree to be called at this number now.';

/** Our own texts. The text for a call also allows one call back, on the same or the next day, if no one answers. */
// cspell:disable
const DEFAULTS: Readonly<Record<Language, Readonly<Record<ConsentCase, string>>>> = {
	en: {
		call: 'I agree to be called at this number now, and once more by the end of tomorrow if no one answers.',
		lead: 'I agree to be called back at this number when someone is available.',
	},
	de: {
		call: 'Ich bin einverstanden, dass Sie mich jetzt unter dieser Nummer anrufen, und bis morgen Abend noch einmal, falls niemand abnimmt.',
		lead: 'Ich bin einverstanden, dass Sie mich unter dieser Nummer zurückrufen, sobald jemand Zeit hat.',
	},
	es: {
		call: 'Acepto que me llamen ahora a este número y, si nadie contesta, una vez más hasta el final del día de mañana.',
		lead: 'Acepto que me devuelvan la llamada a este número cuando haya alguien disponible.',
	},
	fr: {
		call: 'J’accepte que vous m’appeliez maintenant à ce numéro et, si personne ne répond, encore une fois d’ici demain soir.',
		lead: 'J’accepte que vous me rappeliez à ce numéro dès que quelqu’un sera disponible.',
	},
	ar: {
		call: 'أوافق على أن تتصلوا بي الآن على هذا الرقم، ومرة أخرى حتى نهاية يوم غد إذا لم يرد أحد.',
		lead: 'أوافق على أن تعاودوا الاتصال بي على هذا الرقم عندما يتوفر أحد.',
	},
	it: {
		call: 'Acconsento a ricevere ora una vostra chiamata a questo numero e, se nessuno risponde, un’altra entro la fine di domani.',
		lead: 'Acconsento a ricevere una vostra chiamata a questo numero quando qualcuno sarà disponibile.',
	},
	nl: {
		call: 'Ik ga ermee akkoord dat u mij nu op dit nummer belt, en uiterlijk morgen nog één keer als er niemand opneemt.',
		lead: 'Ik ga ermee akkoord dat u mij op dit nummer terugbelt zodra er iemand beschikbaar is.',
	},
	pt: {
		call: 'Concordo que me liguem agora para este número e, se ninguém atender, mais uma vez até o fim do dia de amanhã.',
		lead: 'Concordo que me liguem de volta para este número quando houver alguém disponível.',
	},
	pl: {
		call: 'Wyrażam zgodę, abyście zadzwonili do mnie teraz pod ten numer, a jeśli nikt nie odbierze, jeszcze raz najpóźniej jutro.',
		lead: 'Wyrażam zgodę, abyście oddzwonili do mnie pod ten numer, gdy ktoś będzie dostępny.',
	},
	tr: {
		call: 'Bu numara üzerinden şimdi, kimse yanıt vermezse yarın sonuna kadar bir kez daha aranmayı kabul ediyorum.',
		lead: 'Biri müsait olduğunda bu numara üzerinden geri aranmayı kabul ediyorum.',
	},
};
// cspell:enable

type Settings = {
	readonly consent_text: string;
	readonly consent_texts: ConsentTexts;
	/**
	 * The ids of the shop's own texts that allow one call back, as the shop has stated. If a text changes, it gets another
	 * id, and the shop has to state it again.
	 */
	readonly call_back_texts?: readonly string[];
};

/**
 * Whether a text allows one call back by the end of the next day, if no one answers. Our own texts allow it. A shop's text
 * allows it if the shop says so.
 */
export function coversCallBack(
	{ text, language }: { readonly text: string; readonly language: Language | null },
	{ call_back_texts = [] }: Pick<Settings, 'call_back_texts'>,
): boolean {
	if (languages.some((each) => DEFAULTS[each].call === text)) return true;
	return language !== null && call_back_texts.includes(consentTextId(language, 'call', text));
}

/** The id by which a page names the text that it shows. */
export const consentTextId = (language: Language, purpose: ConsentCase, text: string): string =>
	`${language}-${purpose}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

/**
 * The workspace's text for this language and purpose. If there is no such text, the workspace's general text. If there is no
 * general text either, our own text for the language.
 */
export function consentText(settings: Settings, language: Language, purpose: ConsentCase): ConsentText {
	const { consent_text: general, consent_texts: own } = settings;
	const text = own[language]?.[purpose] ?? (general === PLAIN_CONSENT ? DEFAULTS[language][purpose] : general);
	return { id: consentTextId(language, purpose, text), text };
}

/** The text that has this id now, with its language. Null if the workspace does not show such a text for this purpose. */
export function consentById(
	settings: Settings,
	purpose: ConsentCase,
	id: string,
): { readonly text: string; readonly language: Language } | null {
	const language = languages.find((one) => consentText(settings, one, purpose).id === id);
	return language === undefined ? null : { language, text: consentText(settings, language, purpose).text };
}
