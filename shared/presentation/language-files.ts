import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../domain/workspaces/language.ts';

/**
 * Reads `texts/<folder>/<language>.json`, each once. They are files, so that a function does not load the languages that it
 * does not need. The bundler copies them for each function with a module `<folder>-texts.ts`.
 */
export function languageFiles<Texts>(folder: string): (language: Language) => Texts {
	const textsOfLanguage = new Map<Language, Texts>();
	return (language) => {
		const texts: Texts =
			textsOfLanguage.get(language) ??
			JSON.parse(readFileSync(join(import.meta.dirname, 'texts', folder, `${language}.json`), 'utf8'));
		textsOfLanguage.set(language, texts);
		return texts;
	};
}
