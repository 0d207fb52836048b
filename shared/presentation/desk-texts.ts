import type { Language } from '../domain/workspaces/language.ts';
import ar from './texts/desk/ar.json' with { type: 'json' };
import de from './texts/desk/de.json' with { type: 'json' };
import en from './texts/desk/en.json' with { type: 'json' };
import es from './texts/desk/es.json' with { type: 'json' };
import fr from './texts/desk/fr.json' with { type: 'json' };
import it from './texts/desk/it.json' with { type: 'json' };
import nl from './texts/desk/nl.json' with { type: 'json' };
import pl from './texts/desk/pl.json' with { type: 'json' };
import pt from './texts/desk/pt.json' with { type: 'json' };
import tr from './texts/desk/tr.json' with { type: 'json' };

/** The texts of the desk. `{0}` is a placeholder. */
export type DeskTexts = typeof en;

const texts: Readonly<Record<Language, DeskTexts>> = { en, de, es, fr, ar, it, nl, pt, pl, tr };

export function deskTextsIn(language: Language): DeskTexts {
	return texts[language];
}
