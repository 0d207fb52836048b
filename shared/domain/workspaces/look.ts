/** How a shop's widget looks on pages that do not set the look themselves. A field that is null means the default. */
export type Look = {
	/** The colour of the launcher, the buttons and the progress, such as `#1c3d8f`. */
	readonly accent: string | null;
	/** The title above the form while the team is open. */
	readonly greeting: string | null;
};

export const ACCENT_PATTERN = /^#[0-9a-f]{6}$/;
export const MOST_GREETING_CHARACTERS = 120;
/** The widget's own accent colour on light pages. */
export const DEFAULT_ACCENT = '#0a6c4d';

/** The look of a workspace, even if the workspace was stored before workspaces had a look. */
export const lookOf = ({ look }: { readonly look?: Look }): Look => look ?? { accent: null, greeting: null };
