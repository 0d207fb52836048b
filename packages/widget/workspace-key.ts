/**
 * The public keys of the workspaces, without what comes along when they are pasted: spaces, line ends, quotation marks. Hyphens stay:
 * keys are base64url, and one in 64 ends with one. An empty key if there is none.
 */
export const workspaceKeysOf = (host: { getAttribute(name: string): string | null }): readonly string[] =>
	host.getAttribute('workspace-key')?.match(/[\w-]+/g) ?? [''];
