// Put in by widget/build.ts.

/** The style sheet. */
declare const STYLE: string;
/** Hash over the script and its texts: the part of their file names that changes with them. */
declare const VERSION: string;
/** Languages that have a JSON file beside the script. */
declare const LANGUAGES: readonly string[];
