import { refusedBeginnings } from '../../domain/workspaces/callable-number.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { NumberGuide, NumberGuides } from '../../ports/phone-numbers.ts';

/**
 * The most guides in one response. All guides together would be 126 KB. If the response has no guide for a visitor's
 * country, the visitor has to type the country code with the number.
 */
const MOST_GUIDES = 20;

/** The guides for the regions that a workspace calls, its own region first. */
export function guidesFor(
	workspace: Pick<Workspace, 'region' | 'allowed_regions' | 'refused_prefixes'>,
	{ guideTo }: NumberGuides,
): readonly NumberGuide[] {
	const { region, allowed_regions } = workspace;
	const others = allowed_regions.filter((one) => one !== region);
	const regions = allowed_regions.includes(region) ? [region, ...others] : others;
	const guides = regions.flatMap((one) => guideTo(one) ?? []).slice(0, MOST_GUIDES);
	return guides.map((guide) => {
		const refusal = refusedBeginnings(guide.calling_code, workspace);
		if (refusal === '') return guide;
		return { ...guide, ordinary_pattern: `(?!${refusal})(?:${guide.ordinary_pattern})` };
	});
}
