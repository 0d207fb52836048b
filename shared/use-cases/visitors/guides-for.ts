import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { NumberGuide, NumberGuides } from '../../ports/phone-numbers.ts';

/** A form that offers more countries is filled in with international numbers: guides to all would be 40 KB. */
const MOST_GUIDES = 20;

/** Guides to the regions that a workspace calls, its own first. */
export function guidesFor(
	{ region, allowed_regions }: Pick<Workspace, 'region' | 'allowed_regions'>,
	{ guideTo }: NumberGuides,
): readonly NumberGuide[] {
	const others = allowed_regions.filter((allowed) => allowed !== region);
	const regions = allowed_regions.includes(region) ? [region, ...others] : others;
	return regions.flatMap((one) => guideTo(one) ?? []).slice(0, MOST_GUIDES);
}
