import type { Language } from '../domain/workspaces/language.ts';
import ar from './texts/desk/ar.json' with { type: 'json' };
import de from './texts/desk/de.json' with { type: 'json' };
import en from './texts/desk/en.json' with { type: 'json' };
import es from './texts/desk/es.json' with { type: 'json' };
import fr from './texts/desk/fr.json' with { type: 'json' };

/** The texts of the desk. `{0}` is a placeholder. */
export type DeskTexts = typeof en;

const texts: Readonly<Record<Language, DeskTexts>> = { en, de, es, fr, ar };

export function deskTextsIn(language: Language): DeskTexts {
	return texts[language];
}
