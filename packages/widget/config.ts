import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../../shared/contract/visitors/widget.ts';

type Answered = z.infer<typeof WidgetConfigResponse>['data'];
/** The workspace's configuration from the service. An answer that was cached before an update may have no look. */
export type Config = Omit<Answered, 'look'> & Partial<Pick<Answered, 'look'>>;
export type NumberGuide = Config['numbers'][number];
export type ConsentText = Config['consent_texts']['call'];

/** Where the configuration is, with consent texts in this language. Launcher and panel share the browser's cached answer. */
export function configUrl(baseUrl: string, workspaceKey: string, language: string): string {
	return `${baseUrl}/widget/config?workspace_key=${workspaceKey}&language=${language}`;
}
