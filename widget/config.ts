import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../shared/contract/visitors/widget.ts';

/** What the service says of the workspace. */
export type Config = z.infer<typeof WidgetConfigResponse>['data'];
/** How numbers of one country are written. */
export type NumberGuide = Config['numbers'][number];
