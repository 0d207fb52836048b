import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { NumberGuide, NumberGuides } from '../../ports/phone-numbers.ts';

/**
 * The maximum number of guides, because all of them would be 126 KB. Visitors from other countries type international
 * numbers.
 */
const MOST_GUIDES = 20;

/** The guides for the regions that a workspace calls, its own region first. */
export function guidesFor(
	{ region, allowed_regions }: Pick<Workspace, 'region' | 'allowed_regions'>,
	{ guideTo }: NumberGuides,
): readonly NumberGuide[] {
	const others = allowed_regions.filter((one) => one !== region);
	const regions = allowed_regions.includes(region) ? [region, ...others] : others;
	return regions.flatMap((one) => guideTo(one) ?? []).slice(0, MOST_GUIDES);
}
