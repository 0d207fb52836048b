import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../shared/contract/visitors/widget.ts';

/** The workspace's configuration from the service. */
export type Config = z.infer<typeof WidgetConfigResponse>['data'];
/** The number format of one country. */
export type NumberGuide = Config['numbers'][number];
