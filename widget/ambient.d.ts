// Put in by widget/build.ts.

/** The style sheet. */
declare const STYLE: string;
/** Hash over everything that is built: the part of the files' names that changes with it. */
declare const VERSION: string;
/** Languages that have a JSON file beside the panel. */
declare const LANGUAGES: readonly string[];
/** The panel's file beside the script, and its Subresource Integrity value. */
declare const PANEL: { readonly file: string; readonly integrity: string };
/** The same of what solves a challenge. */
declare const SOLVER: { readonly file: string; readonly integrity: string };
/** By language, what the launcher says before anything else is loaded. */
declare const LAUNCHER_TEXTS: Readonly<
	Record<string, { readonly dir: string; readonly launcher: string; readonly unreachable: string }>
>;
