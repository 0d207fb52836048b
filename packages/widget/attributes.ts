/** The attributes of the element; those of the script have `data-` before them. */
export const ATTRIBUTES = [
	'workspace-key',
	'base-url',
	'script-url',
	'lang',
	'theme',
	'accent',
	'logo',
	'greeting',
	'avatar',
	'when-closed',
	'reference',
];

/** Whether the visitor's call is under way: then the widget stays as it is, even if the page asks for another. */
export const isBusy = ({ shadowRoot }: Element): boolean =>
	!!shadowRoot?.querySelector('.sending,.live ol:not([hidden])');
