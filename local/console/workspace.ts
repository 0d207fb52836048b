import { read } from './ask.ts';
import { byId, element } from './element.ts';

const KEY = 'console-workspace';

/** The workspace whose calls, leads and mails are shown; empty: the demo's. */
export const workspace = (): string => sessionStorage.getItem(KEY) ?? '';

type WorkspaceName = { readonly id: string; readonly name: string };

/** Fills the menu of workspaces, which appears if there is more than one. */
export async function showWorkspaces(demo: string): Promise<void> {
	const place = byId('workspace');
	if (!(place instanceof HTMLSelectElement)) return;
	const all = await read<readonly WorkspaceName[]>('/workspaces');
	const choices = all.map(({ id, name }) => element('option', { value: id === demo ? '' : id }, name));
	if (place.options.length !== choices.length) place.replaceChildren(...choices);
	place.value = workspace();
	byId('workspace-choice').hidden = choices.length < 2;
	place.onchange = () => sessionStorage.setItem(KEY, place.value);
}
