import { languageFiles } from './language-files.ts';
import type en from './texts/endpoint/en.json';

/**
 * The texts for teams about webhook endpoints. `{0}` is a placeholder. These texts are apart from the other texts, because
 * no page needs them.
 */
export type EndpointTexts = typeof en;

export const endpointTextsIn = languageFiles<EndpointTexts>('endpoint');
