import * as z from 'zod/mini';
import type { OpsDeps } from '../../ops/connect.ts';
import type { WorkspaceSettings } from '../../shared/contract/workspaces/workspace.ts';
import { languageOfRegion } from '../../shared/domain/workspaces/language.ts';
import type { BusinessHours, Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { isShopHours, isShopRegion, type ShopHours, type ShopRegion, shops } from '../console/shops.ts';

/**
 * The settings of the demo workspace that the console shows and changes. `hours` null: custom hours that an operator set.
 */
export type DemoShop = {
	readonly region: string;
	readonly language: string;
	readonly hours: ShopHours | null;
};

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const DAY_MS = 86_400_000;
const DAY_MINUTES = 1440;

const Wish = z.object({
	region: z.string().check(z.refine(isShopRegion)),
	hours: z.string().check(z.refine(isShopHours)),
});

function shopOf(workspace: Workspace): DemoShop {
	return { region: workspace.region, language: workspace.language, hours: hoursOf(workspace.business_hours) };
}

function hoursOf(hours: BusinessHours | null): ShopHours | null {
	if (hours === null) return 'always';
	if (hours.weekly.length === WEEKDAYS.length && hours.holidays.length > 0) return 'closed';
	return hours.weekly.length === 5 && hours.weekly.every(({ from_minute }) => from_minute === 9 * 60) ? 'office' : null;
}

function businessHours(region: ShopRegion, hours: ShopHours, now_ms: number): WorkspaceSettings['business_hours'] {
	const { time_zone } = shops[region];
	const day = (at_ms: number) => new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(at_ms);
	switch (hours) {
		case 'always':
			return null;
		case 'office':
			return {
				holidays: [],
				weekly: WEEKDAYS.slice(1, 6).map((weekday) => ({ weekday, from_minute: 9 * 60, to_minute: 17 * 60 })),
			};
		case 'closed':
			return {
				holidays: [day(now_ms), day(now_ms + DAY_MS)],
				weekly: WEEKDAYS.map((weekday) => ({ weekday, from_minute: 0, to_minute: DAY_MINUTES })),
			};
	}
}

export async function readShop(workspace_id: string, { store }: OpsDeps): Promise<DemoShop | null> {
	const workspace = await store.get('workspace', { id: workspace_id });
	return workspace === null ? null : shopOf(workspace);
}

/** Moves the demo workspace: its region, language and hours. US numbers stay callable. */
export async function moveShop(workspace_id: string, body: unknown, deps: OpsDeps) {
	const parsed = Wish.safeParse(body);
	if (!parsed.success) return { status: 422, body: { title: 'Choose a region and hours of the list.' } };
	const { region, hours } = parsed.data;
	if (!isShopRegion(region) || !isShopHours(hours)) throw new Error('the schema has let another value through');
	const outcome = await changeWorkspace(
		workspace_id,
		{
			region,
			language: languageOfRegion(region),
			time_zone: shops[region].time_zone,
			allowed_regions: [...new Set([region, 'US'])],
			business_hours: businessHours(region, hours, Date.now()),
		},
		deps,
	);
	if ('refused' in outcome) return { status: 409, body: { title: 'The demo workspace is gone: start with --fresh.' } };
	return { status: 200, body: shopOf(outcome.workspace) };
}
