/** Writes one line for the developer of the site, who has no other way to learn it, to the browser's console. */
export function tell(message: string): void {
	// biome-ignore lint/suspicious/noConsole: for the developer of the site
	console.error(`call-back-widget: ${message}`);
}

let told = false;
/** Names the first thing that keeps the widget from working: a built-in that a script has replaced, or a file that does not come. */
export function tellFailure(failure: unknown): void {
	if (told) return;
	told = true;
	tell(`this page keeps the widget from working: ${failure}`);
}

/** Runs one step of the widget; a failure is named in the console. */
export function guard(step: () => unknown): void {
	try {
		step();
	} catch (failure) {
		tellFailure(failure);
	}
}
