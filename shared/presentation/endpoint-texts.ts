import type { Language } from '../domain/workspaces/language.ts';
import all from './texts/endpoints.json' with { type: 'json' };

/** What a team reads of its webhook endpoints. `{0}` is filled in. Apart from the other texts: no page needs them. */
export type EndpointTexts = typeof all.en;

const texts: Readonly<Record<Language, EndpointTexts>> = all;

export function endpointTextsIn(language: Language): EndpointTexts {
	return texts[language];
}
