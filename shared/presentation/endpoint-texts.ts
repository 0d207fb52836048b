import { languageFiles } from './language-files.ts';
import type en from './texts/endpoint/en.json';

/**
 * The texts about webhook endpoints for a team. `{0}` is filled in. Separate from the other texts, because no page needs
 * them.
 */
export type EndpointTexts = typeof en;

export const endpointTextsIn = languageFiles<EndpointTexts>('endpoint');
