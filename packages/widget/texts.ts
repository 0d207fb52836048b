import en from './texts/en.json' with { type: 'json' };
import type { Texts } from './words.ts';

/** English is built in and is the fallback; other languages are files beside this script. */
export async function loadTexts(language: string): Promise<Texts> {
	if (!LANGUAGES.includes(language)) return en;
	return fetch(new URL(`widget.${VERSION}.${language}.json`, import.meta.url))
		.then((response) => response.json())
		.catch(() => en);
}
