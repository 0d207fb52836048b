/**
 * Removes what a file or a shell may add around a secret: a byte order mark, spaces, line ends and quotes. Our secrets
 * never begin or end with any of these.
 */
export function unquoted(secret: string): string {
	return String(secret ?? '')
		.trim()
		.replace(/^(["'`])(.*)\1$/s, '$2')
		.replace(/(\\[rn])+$/, '')
		.trim();
}
