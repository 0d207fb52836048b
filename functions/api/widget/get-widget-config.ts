import { getWidgetConfig } from '../../../shared/contract/widget/widget.ts';
import { callerNumber, canDial, edgeDeps, regionNumberGuides } from '../../../shared/deps.ts';
import { forVisitors, handle } from '../../../shared/http/edge/handle.ts';
import { widgetConfig } from '../../../shared/use-cases/widget/widget-config.ts';
import { noteSite } from '../../../shared/use-cases/workspaces/site-use.ts';

export const handler = handle(forVisitors, getWidgetConfig, {
	deps: () => ({
		...edgeDeps(getWidgetConfig.operation),
		guides: regionNumberGuides(),
		caller_number: callerNumber(),
		can_dial: canDial(),
	}),
	run: async ({ caller: { workspace, origin }, query }, deps) => {
		const [{ config, fresh_seconds }] = await Promise.all([
			widgetConfig(workspace, query.language, deps),
			noteSite(workspace, origin, deps),
		]);
		return { body: { data: config }, headers: { 'cache-control': `public, max-age=${fresh_seconds}` } };
	},
});
