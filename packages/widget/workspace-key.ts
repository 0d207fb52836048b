/** The workspace's public key, without what comes along when it is pasted: spaces, line ends, quotation marks. */
export function workspaceKeyOf(host: HTMLElement): string {
	return (host.getAttribute('workspace-key') ?? '').replace(/^\W+|\W+$/g, '');
}
