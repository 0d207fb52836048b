/** Problems that only the site's developer can fix. */
export type SetupFault = 'invalid_workspace_key' | 'origin_not_allowed';

/** Writes the setup problem and the exact command that fixes it to the browser's console. */
export function tellDeveloper(fault: SetupFault, workspaceKey: string): void {
	const { origin } = location;
	const said = {
		invalid_workspace_key: `no workspace has the key "${workspaceKey}". Find the right one: npm run ops -- workspace show --id <workspace id>`,
		origin_not_allowed: `the workspace does not allow pages of ${origin}. Allow them: npm run ops -- workspace set --id <workspace id> --origin ${origin} (the list is replaced: repeat --origin for every other site)`,
	}[fault];
	// biome-ignore lint/suspicious/noConsole: for the developer of the site, who has no other way to learn it
	console.error(`call-back-widget: ${said}`);
}
