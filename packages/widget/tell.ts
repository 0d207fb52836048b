/** Writes one line to the browser's console. The line tells the developer of the site about a problem that nothing else shows. */
export function tell(message: string): void {
	// biome-ignore lint/suspicious/noConsole: for the developer of the site
	console.error(`call-back-widget: ${message}`);
}

let told = false;
/**
 * Writes to the console what keeps the widget from working, for example a built-in that a script has replaced, or a file that
 * does not arrive. Only the first failure is written.
 */
export function tellFailure(failure: unknown): void {
	if (told) return;
	told = true;
	tell(`this page keeps the widget from working: ${failure}`);
}

/** Runs one step of the widget. If it fails, the console says why. */
export function guard(step: () => unknown): void {
	try {
		step();
	} catch (failure) {
		tellFailure(failure);
	}
}
