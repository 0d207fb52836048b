/** The attributes of the element. On the script tag, they have `data-` in front. */
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

/**
 * Whether the visitor's call is under way. During a call, the widget stays as it is, even if the page changes the widget's
 * attributes.
 */
export const isBusy = ({ shadowRoot }: Element): boolean =>
	!!shadowRoot?.querySelector('.sending,.live ol:not([hidden])');
