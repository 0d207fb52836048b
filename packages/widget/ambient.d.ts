// Constants that infra/bundle/widget.ts defines.

declare const STYLE: string;
/** The rules that the panel needs besides STYLE. */
declare const PANEL_STYLE: string;
/** The hash of the build, which is part of the file names. */
declare const VERSION: string;
/** Languages that have a JSON file beside the panel. */
declare const LANGUAGES: readonly string[];
/** The rules of the choice among several workspaces. */
declare const CHOICE_STYLE: string;
/** The file of that choice beside the script, and its Subresource Integrity value. */
declare const CHOICE: { readonly file: string; readonly integrity: string };
/** The panel's file beside the script, and its Subresource Integrity value. */
declare const PANEL: { readonly file: string; readonly integrity: string };
/** The command that starts the operators' program: that of a clone, or of the package `@call-back/cdk`. */
declare const OPS_COMMAND: string;
/** The launcher's texts by language, which it needs before anything else is loaded. */
declare const LAUNCHER_TEXTS: Readonly<
	Record<string, { readonly dir: string; readonly launcher: string; readonly unreachable: string }>
>;
/** Missing in a browser without Trusted Types. */
declare const trustedTypes: {
	createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
};
