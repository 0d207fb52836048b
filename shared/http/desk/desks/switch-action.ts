import { sessionCookie } from '../../../domain/desk/session-cookie.ts';
import type { Ports } from '../../../ports/ports.ts';
import { countPress } from '../../../use-cases/desk/count-form.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import { switchDesk } from '../../../use-cases/desk/switch-desk.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { sessionForms } from '../actions.ts';
import type { ActionOutcome, RunAction } from '../define-action.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'ids'>;

async function switchAction(at: AtDesk, fields: Fields, deps: Deps): Promise<ActionOutcome> {
	if (!(await countPress(at, deps))) return { refused: 'pressed_often' };
	const secret = await switchDesk(at, fields['desk'] ?? '', deps);
	return secret === null ? { refused: 'not_found' } : { link: '../pages/today', cookie: sessionCookie(secret) };
}

/**
 * Lets people switch to another of their desks. The other desk's audit list says that they signed in; this one's says
 * nothing.
 */
export const withSwitch =
	<D extends Deps>(run: RunAction<D>): RunAction<D> =>
	(at, fields, deps) =>
		fields['action'] === sessionForms.switchDesk ? switchAction(at, fields, deps) : run(at, fields, deps);
