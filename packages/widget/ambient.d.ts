// Constants that infra/bundle/widget.ts defines.

declare const STYLE: string;
/** The style rules that the panel needs in addition to STYLE. */
declare const PANEL_STYLE: string;
/** The hash of the build. It is part of the file names. */
declare const VERSION: string;
/** The languages that have a JSON file next to the panel. */
declare const LANGUAGES: readonly string[];
/** The style rules for the choice among several workspaces. */
declare const CHOICE_STYLE: string;
/** The file with the choice among several workspaces, which is next to the script, and its Subresource Integrity value. */
declare const CHOICE: { readonly file: string; readonly integrity: string };
/** The file with the panel, which is next to the script, and its Subresource Integrity value. */
declare const PANEL: { readonly file: string; readonly integrity: string };
/** The command that starts the operators' program, in a clone or in the package `@call-back/cdk`. */
declare const OPS_COMMAND: string;
/** The texts of the launcher by language. The launcher needs them before anything else is loaded. */
declare const LAUNCHER_TEXTS: Readonly<
	Record<string, { readonly dir: string; readonly launcher: string; readonly unreachable: string }>
>;
/** A browser without Trusted Types does not have this variable. */
declare const trustedTypes: {
	createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
};
