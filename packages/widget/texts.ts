import type { Request } from './request/request.ts';
import en from './texts/en.json' with { type: 'json' };
import type { Texts } from './words.ts';

/**
 * Loads the texts in a language. English is built in and is used if another language cannot be loaded. The other languages
 * are in files next to this script.
 */
export async function loadTexts(language: string, request: Request): Promise<Texts> {
	if (!LANGUAGES.includes(language)) return en;
	return request(import.meta.url.replace(/[^/]*$/, `widget.${VERSION}.${language}.json`))
		.then((response) => response.json())
		.catch(() => en);
}
