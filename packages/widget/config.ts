import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../../shared/contract/visitors/widget.ts';

type Answered = z.infer<typeof WidgetConfigResponse>['data'];
type AnsweredGuide = Answered['numbers'][number];
/** A service, or a cached answer, from before an update may know nothing of former numbers. */
export type NumberGuide = Omit<AnsweredGuide, 'former'> & Partial<Pick<AnsweredGuide, 'former'>>;
/** The workspace's configuration from the service. An answer that was cached before an update may have no look. */
export type Config = Omit<Answered, 'look' | 'numbers'> &
	Partial<Pick<Answered, 'look'>> & { readonly numbers: readonly NumberGuide[] };
export type ConsentText = Config['consent_texts']['call'];

/** Where the configuration is, with consent texts in this language. Launcher and panel share the browser's cached answer. */
export function configUrl(baseUrl: string, workspaceKey: string, language: string): string {
	return `${baseUrl}/widget/config?workspace_key=${workspaceKey}&language=${language}`;
}
