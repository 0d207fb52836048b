import { languageFiles } from './language-files.ts';
import type en from './texts/endpoint/en.json';

/** What a team reads of its webhook endpoints. `{0}` is filled in. Apart from the other texts: no page needs them. */
export type EndpointTexts = typeof en;

export const endpointTextsIn = languageFiles<EndpointTexts>('endpoint');
