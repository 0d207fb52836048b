import type { Language } from './language.ts';

/** Where a workspace says what it does with visitors' data, by the language of that page. */
export type PrivacyLinks = Readonly<Partial<Record<Language, string>>>;

type Settings = { readonly language: Language; readonly privacy_links: PrivacyLinks };

const MOST_CHARACTERS = 2048;

/** Whether an address may stand beside the consent: https, and without credentials. */
export function isPrivacyLink(text: string): boolean {
	if (text.length > MOST_CHARACTERS || !URL.canParse(text)) return false;
	const { protocol, username, password } = new URL(text);
	return protocol === 'https:' && username === '' && password === '';
}

/** The page in this language, else in the workspace's own; null if there is neither. */
export function privacyLink(settings: Settings, language: Language): string | null {
	const { privacy_links } = settings;
	return privacy_links[language] ?? privacy_links[settings.language] ?? null;
}
