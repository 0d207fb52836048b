import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../../shared/contract/widget/widget.ts';

type Answered = z.infer<typeof WidgetConfigResponse>['data'];
type AnsweredGuide = Answered['numbers'][number];
/**
 * The rules for the numbers of a country. A response of an older release, which may still be in the browser's cache, lacks the
 * rules for former numbering plans.
 */
export type NumberGuide = Omit<AnsweredGuide, 'former'> & Partial<Pick<AnsweredGuide, 'former'>>;
type Newer = 'look' | 'name' | 'opens_in_ms' | 'time_zone';
/**
 * The workspace's configuration, as the service sends it. A response of an older release, which may still be in the browser's
 * cache, lacks the newer fields.
 */
export type Config = Omit<Answered, Newer | 'numbers'> &
	Partial<Pick<Answered, Newer>> & { readonly numbers: readonly NumberGuide[] };
export type ConsentText = Config['consent_texts']['call'];

/**
 * The address of the configuration, with consent texts in this language. The launcher and the panel use the same address,
 * so the panel can get the launcher's response from the browser's cache.
 */
export function configUrl(baseUrl: string, workspaceKey: string, language: string): string {
	return `${baseUrl}/widget/config?workspace_key=${workspaceKey}&language=${language}`;
}
