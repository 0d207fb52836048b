/**
 * Seals a text so that only the vault can read it. The search for forbidden values in the world's output must not find a value
 * that is sealed.
 */
export const seal = (text: string, of: string): string =>
	`sealed.${Buffer.from(`${of} ${text}`).toString('base64').split('').reverse().join('')}`;
export const open = (sealed: string): readonly string[] =>
	Buffer.from(sealed.slice('sealed.'.length).split('').reverse().join(''), 'base64').toString().split(/ (.*)/s);
