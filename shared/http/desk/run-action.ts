import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Store, Write } from '../../ports/store.ts';
import { auditEntry, withAuditEntry } from '../../use-cases/desk/audit-entry.ts';
import { doOnce, pressOf } from '../../use-cases/desk/do-once.ts';
import { type AtDesk, personOf } from '../../use-cases/desk/enter-desk.ts';
import type { Fields } from '../edge/form-fields.ts';
import { type ActionName, actionOf, mayDo, wordOf } from './actions.ts';
import type { Action, ActionOutcome, Actor, Needs } from './define-action.ts';
import { isCurrent } from './sections.ts';

export type RunAction<Deps> = (at: AtDesk, fields: Fields, deps: Deps) => Promise<ActionOutcome>;

/**
 * Does what a form asks for, and writes its entry of the audit list. It changes only what the person has seen and may change
 * when it is written: the role may have been taken away since the form was read. A repeated press does nothing more, and leads
 * to the same page.
 */
export function actionRunner<Name extends ActionName, Deps extends Needs>(
	table: Readonly<Record<Name, Action<Deps>>>,
): RunAction<Deps> {
	const isInTable = (name: ActionName): name is Name => Object.hasOwn(table, name);
	return async (at, fields, deps) => {
		const name = actionOf(fields['action']);
		if (name === undefined || !isInTable(name)) return { invalid: ['action'] };
		if (!mayDo(at.person, name)) return { refused: 'owners_only' };
		const action = table[name];
		const press = pressOf(at, fields);
		const act = (store: Store) => runForm(name, action, { ...at, press, fields }, { ...deps, store });
		const outcome = await doOnce(action.once === false ? null : press, act, deps);
		if (outcome !== null && !('done' in outcome) && !('workspace' in outcome)) return outcome;
		return action.next?.(fields, press ?? '') ?? { done: true };
	};
}

async function runForm<Deps extends Needs>(
	name: ActionName,
	action: Action<Deps>,
	by: Actor,
	deps: Deps,
): Promise<ActionOutcome> {
	const { workspace, person, session, fields } = by;
	const form = action.read(fields, workspace);
	if (!('run' in form)) return form;
	if (!(await action.limit(by, deps))) return { refused: 'pressed_often' };
	const entryNow = async (): Promise<Write | null> => {
		const about = await form.about(by, deps);
		if (about === undefined) return null;
		return auditEntry({ workspace_id: workspace.id, address: person.address, change: wordOf(name), about }, deps);
	};
	const refusalIn = (current: Workspace) => {
		const now = personOf(session, current, deps.clock.now());
		if (now === null || !mayDo(now, name)) return 'owners_only';
		return isCurrent(fields, current) ? null : 'changed_meanwhile';
	};
	const { store } = deps;
	const { entry_with: records } = action;
	if (records !== null) return form.run(by, { ...deps, store: withAuditEntry(store, records, entryNow), refusalIn });
	const entry = await entryNow();
	if (entry !== null) await store.commit([entry]);
	return form.run(by, { ...deps, refusalIn });
}
