import { getWidgetConfig } from '../../../shared/contract/visitors/widget-routes.ts';
import { callerNumber, edgeDeps, numberGuides } from '../../../shared/deps.ts';
import { handleForVisitor } from '../../../shared/http/handle.ts';
import { widgetConfig } from '../../../shared/use-cases/visitors/widget-config.ts';

export const handler = handleForVisitor(getWidgetConfig, {
	deps: () => ({ ...edgeDeps(getWidgetConfig.operation), guides: numberGuides(), caller_number: callerNumber() }),
	run: async ({ caller: { workspace } }, deps) => {
		const headers = { 'cache-control': 'public, max-age=60' };
		return { answer: { data: widgetConfig(workspace, deps) }, headers };
	},
});
