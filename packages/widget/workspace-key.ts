/**
 * The public keys of the workspaces, without spaces, line ends and quotation marks that were pasted with them. Hyphens
 * stay: keys are base64url, and one in 64 ends with a hyphen. If the attribute has no key, the result is one empty key.
 */
export const workspaceKeysOf = (host: { getAttribute(name: string): string | null }): readonly string[] =>
	host.getAttribute('workspace-key')?.match(/[\w-]+/g) ?? [''];
