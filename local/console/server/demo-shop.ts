import * as z from 'zod/mini';
import type { OpsDeps } from '../../../ops/connect.ts';
import { languageOfRegion } from '../../../shared/domain/workspaces/language.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { isShopRegion, shops } from '../page/shops.ts';
import type { DemoShop } from '../page/wire.ts';

const Move = z.object({ region: z.string() });

export async function readShop(
	workspaceId: string,
	departments: string | null,
	{ store }: OpsDeps,
): Promise<DemoShop | null> {
	const workspace = await store.get('workspace', { id: workspaceId });
	return workspace === null ? null : { region: workspace.region, language: workspace.language, departments };
}

/**
 * Moves the demo workspace to another country, with the region, language and time zone of that country. Numbers of the United
 * States can still be called.
 */
export async function moveShop(workspaceId: string, body: unknown, deps: OpsDeps) {
	const region = Move.safeParse(body).data?.region ?? '';
	if (!isShopRegion(region)) return { status: 422, body: { title: 'Choose a region of the list.' } };
	const language = languageOfRegion(region);
	const allowed_regions = [...new Set([region, 'US'])];
	const changes = { region, language, time_zone: shops[region].time_zone, allowed_regions };
	const outcome = await changeWorkspace(workspaceId, changes, deps);
	if ('refused' in outcome)
		return {
			status: 409,
			body: {
				title:
					'The demo workspace is gone from the table: restore the state directory, or choose another with --state-dir.',
			},
		};
	return { status: 200, body: { region, language } };
}
