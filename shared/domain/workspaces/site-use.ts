/**
 * The day on which a page of an allowed site last asked for the widget's configuration. Nothing is stored about who opened
 * the page.
 */
export type SiteUse = {
	readonly workspace_id: string;
	readonly origin: string;
	readonly seen_at: string;
	readonly expires_at_epoch_s: number;
};

/** The record of a site is written at most once in this time. */
export const SEEN_STEP_MS = 24 * 3_600_000;
/** If a site no longer shows the widget, the site's record is deleted after this time. */
export const SEEN_SECONDS = 90 * 24 * 3600;
