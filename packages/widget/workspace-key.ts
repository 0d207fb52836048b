/**
 * The public keys of the workspaces, without pasted spaces, line ends and quotation marks. Hyphens stay: keys are base64url,
 * and one in 64 ends with one. One empty key if the attribute has none.
 */
export const workspaceKeysOf = (host: { getAttribute(name: string): string | null }): readonly string[] =>
	host.getAttribute('workspace-key')?.match(/[\w-]+/g) ?? [''];
