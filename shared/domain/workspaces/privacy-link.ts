import type { Language } from './language.ts';

/** The addresses of the pages on which a workspace says what it does with visitors' data, by the pages' language. */
export type PrivacyLinks = Readonly<Partial<Record<Language, string>>>;

type Settings = { readonly language: Language; readonly privacy_links: PrivacyLinks };

const MOST_CHARACTERS = 2048;

/**
 * The normal form (WHATWG URL) of an address that may be shown next to the consent: https, without credentials. Null if the
 * text is no such address.
 */
export function parsePrivacyLink(text: string): string | null {
	if (!URL.canParse(text)) return null;
	const { href, protocol, username, password } = new URL(text);
	return protocol === 'https:' && username === '' && password === '' && href.length <= MOST_CHARACTERS ? href : null;
}

/**
 * The address of the page in this language, or else in the workspace's own language. Null if there is no page in either
 * language.
 */
export function privacyLink(settings: Settings, language: Language): string | null {
	const { privacy_links } = settings;
	return privacy_links[language] ?? privacy_links[settings.language] ?? null;
}
