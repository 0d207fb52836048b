/**
 * The workspace's public key, without what comes along when it is pasted: spaces, line ends, quotation marks. Hyphens stay:
 * keys are base64url, and one in 64 ends with one.
 */
export function workspaceKeyOf(host: { getAttribute(name: string): string | null }): string {
	return (host.getAttribute('workspace-key') ?? '').replace(/^[^\w-]+|[^\w-]+$/g, '');
}
