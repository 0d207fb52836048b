/**
 * The default limits. Each workspace can have other limits. A window is 10 minutes, a day is a UTC day. Limits whose names
 * begin with `platform_` count the requests of all workspaces together.
 */
export const DEFAULT_LIMITS = {
	calls_per_number_per_day: 3,
	/** How many calls team members may place to one number with one-time links, in addition to `calls_per_number_per_day`. */
	link_calls_per_number_per_day: 3,
	requests_per_address_per_window: 5,
	/** The limit for accepted calls. Accepted callback requests have a counter of their own with the same limit. */
	requests_per_workspace_per_window: 30,
	calls_per_day: 500,
	leads_per_day: 200,
	platform_calls_per_number_per_day: 6,
	platform_calls_per_number_per_window: 2,
	platform_leads_per_number_per_day: 6,
	api_requests_per_key_per_minute: 600,
	/** The limit of each operation that keeps a function busy for seconds, such as testing or recovering an endpoint. */
	slow_requests_per_minute: 10,
} as const;
export type LimitName = keyof typeof DEFAULT_LIMITS;
export type WorkspaceLimits = Readonly<Record<LimitName, number>>;
export const limitNames: readonly LimitName[] = Object.keys(DEFAULT_LIMITS).filter(
	(name): name is LimitName => name in DEFAULT_LIMITS,
);

/** All limits of a workspace: its own values, and the defaults for the limits that it has not set. */
export function limitsOf({ limits }: { readonly limits: Partial<WorkspaceLimits> }): WorkspaceLimits {
	return { ...DEFAULT_LIMITS, ...limits };
}
