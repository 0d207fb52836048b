import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { View } from '../kit/view.ts';

/** Who made a key or an endpoint; empty where that is not known, or it was no person. */
export const madeBy = (address: string | undefined, { texts }: View): Markup | false =>
	address !== undefined && html` · ${fillIn(texts.keys.made_by, address)}`;
