import type * as z from 'zod/mini';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import type { DeskTexts } from '../../presentation/desk-texts.ts';
import { doOnce, pressOf } from '../../use-cases/desk/do-once.ts';
import { type AtDesk, auditEntry, personOf } from '../../use-cases/desk/enter-desk.ts';
import type { EditContext } from '../../use-cases/workspaces/edit-workspace.ts';
import type { Fields } from '../edge/request.ts';
import type { FormResult } from './pages/frame.ts';
import { type ActionName, mayDo } from './roles.ts';
import { isCurrent } from './sections.ts';

export type ActionOutcome =
	| { readonly workspace: Workspace }
	| { readonly done: true }
	/** Another page than the form's, relative to it. `cookie`: of the session that begins there. */
	| { readonly link: string; readonly cookie?: string }
	/** What the page then shows, once. */
	| { readonly result: FormResult }
	/** `words`: the API's own, which the text has a place for. */
	| { readonly refused: keyof DeskTexts['refusals']; readonly words?: string }
	/**
	 * The path of the field or setting that cannot be as it was entered, in the API's words what it has to be, and what was
	 * typed there, such as one line of several.
	 */
	| { readonly invalid: readonly PropertyKey[]; readonly expected?: string; readonly typed?: string };

/** The person who acts, what an action needs, and what it commits besides: an entry of the audit list. */
export type Actor<Deps> = AtDesk &
	Deps &
	Required<Pick<EditContext, 'refusalIn'>> & {
		/** Identifies this press of the form; null: the form does not say when it was shown. */
		readonly press: string | null;
		readonly entryAbout: (about: string | null) => Write;
	};
export type Action<Deps> = (fields: Fields, at: Actor<Deps>) => Promise<ActionOutcome>;

export const formAction =
	<S extends z.ZodMiniType<object>, Deps>(
		schema: S,
		work: (form: z.infer<S>, at: Actor<Deps>) => Promise<ActionOutcome>,
	): Action<Deps> =>
	async (fields, at) => {
		const form = schema.safeParse(fields, { reportInput: true });
		if (form.success) return work(form.data, at);
		const { path: invalid = [], input } = form.error.issues[0] ?? {};
		return { invalid, ...(typeof input === 'string' && { typed: input }) };
	};

type Base = Pick<Ports, 'store' | 'clock' | 'ids'>;
export type RunAction<Deps> = (at: AtDesk, fields: Fields, deps: Deps) => Promise<ActionOutcome>;

/**
 * Does what a form asks for, with an entry of the audit list in the same transaction. It changes only what the person has
 * seen and may change when it is written: the role may have been taken away since the form was read. A repeated press
 * does nothing more; `again` has the outcome that it gets, by action. Null there: the action runs each time, because it
 * recognises a repeated press itself.
 */
export function actionRunner<N extends ActionName, Deps extends Base>(
	actions: Readonly<Record<N, Action<Deps>>>,
	again: Readonly<Partial<Record<N, ((press: string, fields: Fields) => ActionOutcome) | null>>>,
): RunAction<Deps> {
	const isAction = (name: string): name is N => Object.hasOwn(actions, name);
	return async (at, fields, deps) => {
		const { action: change = '' } = fields;
		const { workspace, person, session } = at;
		if (!isAction(change)) return { invalid: ['action'] };
		if (!mayDo(person, change)) return { refused: 'owners_only' };
		const press = pressOf(at, fields);
		const actor = {
			...at,
			...deps,
			press,
			entryAbout: (about: string | null) =>
				auditEntry({ workspace_id: workspace.id, address: person.address, change, about }, deps),
			refusalIn: (current: Workspace) => {
				const now = personOf(session, current, deps.clock.now());
				if (now === null || !mayDo(now, change)) return 'owners_only';
				return isCurrent(fields, current) ? null : 'changed_meanwhile';
			},
		};
		const repeat = again[change];
		const once = repeat === null ? null : press;
		const outcome = await doOnce(once, (store) => actions[change](fields, { ...actor, store }), deps);
		if (outcome !== null) return outcome;
		return (press !== null && repeat?.(press, fields)) || { done: true };
	};
}
