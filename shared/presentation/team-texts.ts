import type { Language } from '../domain/workspaces/language.ts';
import ar from './texts/ar.json' with { type: 'json' };
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };
import nl from './texts/nl.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };
import tr from './texts/tr.json' with { type: 'json' };

/** The texts of a team's messages and pages. `{0}` and `{1}` are placeholders. */
export type TeamTexts = typeof en;
export type RefusalText = keyof TeamTexts['refusals'];

const texts: Readonly<Record<Language, TeamTexts>> = { en, de, es, fr, ar, it, nl, pt, pl, tr };

export function textsIn(language: Language): TeamTexts {
	return texts[language];
}

/** Replaces `{0}`, `{1}` ... in a text by these values. */
export function filled(text: string, ...values: readonly string[]): string {
	return text.replace(/\{(\d)\}/g, (_, place) => values[Number(place)] ?? '');
}
