import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { View } from '../kit/view.ts';

/** Who made a key or an endpoint. Empty if that is unknown, or if it was not made by a person. */
export const madeBy = (address: string | undefined, { texts }: View): Markup | false =>
	address !== undefined && html` · ${fillIn(texts.keys.made_by, address)}`;
