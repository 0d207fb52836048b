import { getWidgetConfig } from '../../../shared/contract/visitors/widget-routes.ts';
import { edgeDeps, numberGuides } from '../../../shared/deps.ts';
import { openState } from '../../../shared/domain/workspaces/business-hours.ts';
import { handleForVisitor } from '../../../shared/http/handle.ts';
import { guidesFor } from '../../../shared/use-cases/visitors/guides-for.ts';

export const handler = handleForVisitor(getWidgetConfig, {
	deps: () => ({ ...edgeDeps(getWidgetConfig.operation), guides: numberGuides() }),
	run: async ({ caller: { workspace } }, { clock, guides }) => {
		const hours = openState(workspace.business_hours, clock.now());
		const next_open_at = hours.open ? null : hours.next_open_at;
		const open = hours.open && workspace.calls_enabled;
		const { consent_text, allowed_regions: regions } = workspace;
		const headers = { 'cache-control': 'public, max-age=60' };
		const numbers = guidesFor(workspace, guides);
		return { answer: { data: { open, next_open_at, consent_text, regions, numbers } }, headers };
	},
});
