import type { Language } from './language.ts';

/** Where a workspace says what it does with visitors' data, by the language of that page. */
export type PrivacyLinks = Readonly<Partial<Record<Language, string>>>;

type Settings = { readonly language: Language; readonly privacy_links: PrivacyLinks };

const MOST_CHARACTERS = 2048;

/** The normal form (WHATWG URL) of an address that may stand beside the consent: https, and without credentials; else null. */
export function parsePrivacyLink(text: string): string | null {
	if (!URL.canParse(text)) return null;
	const { href, protocol, username, password } = new URL(text);
	return protocol === 'https:' && username === '' && password === '' && href.length <= MOST_CHARACTERS ? href : null;
}

/** The page in this language, else in the workspace's own; null if there is neither. */
export function privacyLink(settings: Settings, language: Language): string | null {
	const { privacy_links } = settings;
	return privacy_links[language] ?? privacy_links[settings.language] ?? null;
}
