import { html, type Markup } from '../../../presentation/markup.ts';
import type { Fields } from '../../request.ts';
import { hiddenFields, type View } from './frame.ts';

/** A form of a page: what it asks for, and its fields as they are saved. */
export type Form = { readonly view: View; readonly act: string; readonly saved: Fields; readonly seen?: string };

/** A card with a form and its button. */
export function formCard({ view, act, seen }: Form, content: Markup | readonly Markup[], label: string): Markup {
	return html`<form method="post" class="card">${hiddenFields(view, { act, ...(seen !== undefined && { seen }) })}
${content}
<button>${label}</button></form>`;
}

/**
 * A field's value: the saved one, or the entered one if this form was refused. If another person has changed the section
 * meanwhile, it is the saved one, and `beside` shows what was entered, as `say` writes it.
 */
export function fieldValue(
	{ view: { entered, texts }, act, saved }: Form,
	name: string,
	say = (value: string) => value,
): { readonly value: string; readonly beside: Markup } {
	const value = saved[name] ?? '';
	if (entered?.fields['act'] !== act) return { value, beside: html`` };
	const text = (entered.fields[name] ?? '').replaceAll('\r', '');
	if (!entered.changed_meanwhile) return { value: text, beside: html`` };
	const differs = text.trim() !== value;
	return {
		value,
		beside: differs ? html`<p class="soft">${texts.you_entered} <bdi>${say(text) || '–'}</bdi></p>` : html``,
	};
}

type TextField = {
	readonly label: string;
	readonly hint?: string;
	/** Further attributes, such as ` required`. */
	readonly more?: string;
	/** The rows of a larger field. */
	readonly rows?: number;
};

/** A field for text, with its label and a hint. */
export function textField(form: Form, name: string, { label, hint, more = '', rows }: TextField): Markup {
	const { value, beside } = fieldValue(form, name);
	const [id, about] = [`${name}-hint`, hint === undefined ? '' : ` aria-describedby="${name}-hint"`];
	const attributes = { markup: `${about}${more}` };
	const box =
		rows === undefined
			? html`<input id="${name}" name="${name}" value="${value}"${attributes}>`
			: html`<textarea id="${name}" name="${name}" rows="${`${rows}`}"${attributes}>${value}</textarea>`;
	const help = hint === undefined ? html`` : html`<p class="soft" id="${id}">${hint}</p>`;
	return html`<label for="${name}">${label}</label>${help}${box}${beside}`;
}

/** A choice, each with its label. */
export function selectField(
	form: Form,
	name: string,
	label: string,
	options: readonly (readonly [value: string, label: string])[],
): Markup {
	const { value, beside } = fieldValue(form, name, (typed) => options.find(([each]) => each === typed)?.[1] ?? typed);
	// A list of all time zones is long enough without each name twice.
	const rows = options.map(([each, text]) => {
		const valueAttribute = each === text ? html`` : html` value="${each}"`;
		return html`<option${valueAttribute}${{ markup: each === value ? ' selected' : '' }}>${text}</option>`;
	});
	return html`<label for="${name}">${label}</label><select id="${name}" name="${name}">${rows}</select>${beside}`;
}
