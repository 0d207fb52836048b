/** How a shop's widget looks on pages that set no look of their own; null: the default. */
export type Look = {
	/** The colour of launcher, buttons and progress, such as `#1c3d8f`. */
	readonly accent: string | null;
	/** Replaces the title above the form while the team is open. */
	readonly greeting: string | null;
};

export const ACCENT_PATTERN = /^#[0-9a-f]{6}$/;
export const MOST_GREETING_CHARACTERS = 120;
/** The widget's own colour in light pages. */
export const DEFAULT_ACCENT = '#0a6c4d';

/** The look of a workspace, also of one that was saved before workspaces had a look. */
export const lookOf = ({ look }: { readonly look?: Look }): Look => look ?? { accent: null, greeting: null };
