import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../../shared/contract/widget/widget.ts';

type Answered = z.infer<typeof WidgetConfigResponse>['data'];
type AnsweredGuide = Answered['numbers'][number];
/** Answers from before an update, also cached ones, may lack the rules of former numbers. */
export type NumberGuide = Omit<AnsweredGuide, 'former'> & Partial<Pick<AnsweredGuide, 'former'>>;
type Newer = 'look' | 'name' | 'opens_in_ms' | 'time_zone';
/**
 * The workspace's configuration from the service. Answers from before an update, also cached ones, may lack newer
 * members.
 */
export type Config = Omit<Answered, Newer | 'numbers'> &
	Partial<Pick<Answered, Newer>> & { readonly numbers: readonly NumberGuide[] };
export type ConsentText = Config['consent_texts']['call'];

/** Where the configuration is, with consent texts in this language. Launcher and panel share the browser's cached answer. */
export function configUrl(baseUrl: string, workspaceKey: string, language: string): string {
	return `${baseUrl}/widget/config?workspace_key=${workspaceKey}&language=${language}`;
}
