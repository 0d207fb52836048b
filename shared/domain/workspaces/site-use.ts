/** When a page of an allowed site asked for the widget's configuration, to the day; nothing of who opened the page. */
export type SiteUse = {
	readonly workspace_id: string;
	readonly origin: string;
	readonly seen_at: string;
	readonly expires_at_epoch_s: number;
};

/** It is written at most this often. */
export const SEEN_STEP_MS = 24 * 3_600_000;
/** A site that has stopped showing the widget is forgotten after this time. */
export const SEEN_SECONDS = 90 * 24 * 3600;
