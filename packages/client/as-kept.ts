/**
 * A secret without what a file or a shell has put around it: a byte order mark, line ends and spaces, and quotes. Ours begin
 * and end with none of them.
 */
export function asKept(secret: string): string {
	return String(secret ?? '')
		.trim()
		.replace(/^(["'`])(.*)\1$/s, '$2')
		.replace(/(\\[rn])+$/, '')
		.trim();
}
