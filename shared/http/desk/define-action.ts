import type * as z from 'zod/mini';
import { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { RecordName } from '../../ports/registry.ts';
import type { Store, Write } from '../../ports/store.ts';
import type { SecretVault } from '../../ports/vault.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import type { DeskTexts } from '../../presentation/desk-texts.ts';
import { auditEntry, withAuditEntry } from '../../use-cases/desk/audit-entry.ts';
import { type AtDesk, personOf } from '../../use-cases/desk/enter-desk.ts';
import { countForm, countPress, doOnce, pressOf } from '../../use-cases/desk/press.ts';
import { changeWorkspace } from '../../use-cases/workspaces/change-workspace.ts';
import type { EditContext } from '../../use-cases/workspaces/edit-workspace.ts';
import type { Fields } from '../edge/form-fields.ts';
import { type ActionName, actionOf, mayDo, wordOf } from './actions.ts';
import type { SettingsSection } from './kit/section.ts';
import type { FormResult } from './kit/view.ts';
import { isCurrent } from './sections.ts';

/** Why a form was refused: because of a rule, or because of one of its fields. */
export type Refusal =
	/** `words`: what replaces the placeholder in the sentence of the refusal. */
	| ({ readonly refused: keyof DeskTexts['refusals']; readonly words?: string } & Why)
	/** `also`: what else is wrong in the same form. */
	| (InvalidField & { readonly also?: readonly InvalidField[] });
/**
 * `invalid`: the path of the field or setting that is wrong. `typed`: the value that was sent, or the part of it that is
 * wrong.
 */
export type InvalidField = { readonly invalid: readonly PropertyKey[]; readonly typed?: string } & Why;
/** `why`: which words stand beside the field, if it can be wrong in several ways. `hint`: what stands after those words. */
type Why = { readonly why?: keyof DeskTexts['wrong']; readonly hint?: string };
/**
 * Leads to another page than the form's page. `link` is relative to the form's page. `cookie`: the cookie of the session
 * that begins on the other page.
 */
type Link = { readonly link: string; readonly cookie?: string };
export type ActionOutcome =
	| { readonly workspace: Workspace }
	| { readonly done: true }
	| Link
	/** A result that the page shows once, in the answer to the form. */
	| { readonly result: FormResult }
	/** Nothing was saved. The form is shown with these fields. */
	| { readonly entered: Fields }
	| Refusal;

/** The person who acts, and the form that was sent. */
export type Actor = AtDesk & {
	/** Identifies one press of the form's button (see `pressOf`). Null if the form does not say when it was shown. */
	readonly press: string | null;
	readonly fields: Fields;
};

/**
 * Everything that actions may use. Each action names what it uses. A function that runs a table of actions is given only what
 * the actions of that table need.
 */
type ActionPorts = Pick<Ports, 'queues' | 'sealer' | 'numbers' | 'macs'> & {
	readonly speed: number;
	readonly can_dial: boolean;
	readonly caller_number: string | null;
	/** Only one action decrypts a secret with the vault: the test of an endpoint, to sign the test's event. */
	readonly vault: SecretVault;
	readonly sender: WebhookSender;
};
type Base = Pick<Ports, 'store' | 'clock' | 'ids'>;
/** What all actions of a table need together, and nothing else. */
export type Needs<Names extends keyof ActionPorts = never> = Base & Pick<ActionPorts, Names>;
/** Checks again, when a change is written, whether the person may make it. */
export type Judge = Required<Pick<EditContext, 'refusalIn'>>;
/** What one action needs. */
export type Uses<Names extends keyof ActionPorts = never> = Needs<Names> & Judge;

/** Reads what an action needs out of a form. */
export type FormReader<Form> = (fields: Fields, workspace: Workspace) => { readonly value: Form } | Refusal;

/** Reads the fields of a form with a schema. */
export const formOf =
	<S extends z.ZodMiniType>(schema: S): FormReader<z.infer<S>> =>
	(fields) =>
		readForm(schema, fields);

/** Reads the form of a section of the workspace as settings. The operators' commands use the same schema. */
export const sectionFormOf =
	<S extends z.ZodMiniType>(section: SettingsSection, schema: S): FormReader<z.infer<S>> =>
	(fields, workspace) =>
		readForm(schema, section.entered(fields, workspace));

function readForm<S extends z.ZodMiniType>(schema: S, entered: object): { readonly value: z.infer<S> } | Refusal {
	const form = schema.safeParse(entered, { reportInput: true });
	if (form.success) return { value: form.data };
	const [first = { invalid: [] }, ...also] = form.error.issues.map(({ path: invalid, input }): InvalidField => {
		return { invalid, ...(typeof input === 'string' && { typed: input }) };
	});
	return { ...first, also };
}

/** Counts one more form against a limit. False if the limit is reached. */
type Limit = (by: AtDesk, deps: Pick<Ports, 'store' | 'clock'>) => Promise<boolean>;
/** Counts a form of the shop's pages against the limit of the person who sent it. */
export const perPerson: Limit = countPress;
/**
 * Counts a form of the developers' pages as a request of the API. `slowOperation`: a slow operation whose limit also counts
 * the form.
 */
export const asRequest =
	(slowOperation: string | null = null): Limit =>
	(by, deps) =>
		countForm(by, slowOperation, deps);

/**
 * What the audit list names in the entry of an action: the name of a member, an address or an id. A phone number is named
 * only in its masked form. Null: the entry names nothing. Undefined: no entry is written.
 */
type Subject = string | null | undefined;
export type Audit<Form> = {
	/**
	 * The transaction that writes one of these records also writes the entry. Null: the entry has a transaction of its own,
	 * before the action.
	 */
	readonly with: readonly RecordName[] | null;
	readonly about: (form: Form, by: Actor, deps: Base) => Subject | Promise<Subject>;
};

type Definition<Form, Deps> = {
	readonly limit: Limit;
	readonly audit: Audit<Form>;
	/**
	 * False: the action runs again if the same press is sent again. Either the action itself recognises a repeated press, or
	 * running it again does no harm.
	 */
	readonly once?: false;
	/**
	 * The page that follows the form, also after a repeated press. Absent: the form's own page follows, and says that the
	 * form was saved.
	 */
	readonly next?: (fields: Fields, press: string) => Link;
	/**
	 * For a form with a second button that only fills in fields: the form's fields after that button was pressed. Null if the
	 * form is to be saved.
	 */
	readonly fills?: (fields: Fields) => Fields | null;
	readonly run: (form: Form, by: Actor, deps: Deps & Judge) => Promise<ActionOutcome>;
};

type ReadForm<Deps> = {
	readonly about: (by: Actor, deps: Base) => Subject | Promise<Subject>;
	readonly run: (by: Actor, deps: Deps & Judge) => Promise<ActionOutcome>;
};
/** One action of the desk. actions.ts has its name, its page, and the roles that may use it. */
export type Action<Deps> = Pick<Definition<unknown, Deps>, 'limit' | 'once' | 'next' | 'fills'> & {
	readonly entry_with: Audit<unknown>['with'];
	readonly read: (fields: Fields, workspace: Workspace) => ReadForm<Deps> | Refusal;
};

/** Defines an action. `form` reads, from the fields of the form, what the action needs. */
export function defineAction<Form, Deps extends Base>(
	form: FormReader<Form>,
	{ audit, run, ...row }: Definition<Form, Deps>,
): Action<Deps> {
	return {
		...row,
		entry_with: audit.with,
		read: (fields, workspace) => {
			const read = form(fields, workspace);
			if (!('value' in read)) return read;
			const { value } = read;
			return {
				about: (by, deps) => audit.about(value, by, deps),
				run: (by, deps) => run(value, by, deps),
			};
		},
	};
}

/** The audit of an action that changes the workspace. Its entry names nothing. */
export const changesShop: Audit<unknown> = { with: ['workspace'], about: () => null };

/** An action that saves the settings of a section. */
export const saveSection = (section: SettingsSection) =>
	defineAction(sectionFormOf(section, WorkspaceSettings), {
		limit: perPerson,
		audit: changesShop,
		run: (settings, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs'>) =>
			changeWorkspace(workspace.id, settings, deps),
	});

export type RunAction<Deps> = (at: AtDesk, fields: Fields, deps: Deps) => Promise<ActionOutcome>;

/**
 * Runs the action that a form asks for, and writes its entry of the audit list. If the action changes a section that has
 * changed since the form was shown, the action is refused. When the change is written, the role of the person is checked
 * again, because it may have changed since the form was read. A repeated press leads to the same page as the first press. It
 * runs the action again only if the action has `once: false`.
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
		const entered = action.fills?.(fields) ?? null;
		if (entered !== null) return { entered };
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
