import { sessionCookie } from '../../../domain/desk/session-cookie.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import { countPress } from '../../../use-cases/desk/press.ts';
import { switchDesk } from '../../../use-cases/desk/switch-desk.ts';
import type { Fields } from '../../edge/form-fields.ts';
import type { ActionOutcome } from '../define-action.ts';

/**
 * Switches a person to another of the person's desks. The audit list of that desk gets an entry that the person has signed
 * in. The audit list of the desk that the person leaves gets no entry.
 */
export async function switchAction(
	at: AtDesk,
	fields: Fields,
	deps: Pick<Ports, 'store' | 'clock' | 'ids'>,
): Promise<ActionOutcome> {
	if (!(await countPress(at, deps))) return { refused: 'pressed_often' };
	const secret = await switchDesk(at, fields['desk'] ?? '', deps);
	return secret === null ? { refused: 'not_found' } : { link: '../pages/today', cookie: sessionCookie(secret) };
}
