/** Settings of the product that the local stack may change, and a deployment may not. */
export type Overrides = {
	/** Divides the deadlines of calls, so that they fit simulated phones on a faster clock. */
	readonly speed: number;
	/** Multiplies the time that one answer of AWS may take, because the stand-ins share a machine with everything else. */
	readonly patience: number;
	/** Where the widget's script is served; null: where the deployment serves it. */
	readonly widget_script: string | null;
	/** Seconds between the attempts of a delivery; null: the schedule of the product. */
	readonly retry_schedule_seconds: readonly number[] | null;
	/** `host:port` that the address guard lets through. */
	readonly allowed_webhook_hosts: readonly string[];
	/** A further hint for a developer whose webhook address is refused. */
	readonly webhook_refusal_hint: string | null;
	/** Further certificate authorities (PEM) that webhook receivers may use. */
	readonly trusted_ca_pem: string | null;
};

/**
 * A deployment overrides nothing. The local build replaces this module with `local/overrides.ts`, so a deployed bundle cannot
 * be overridden.
 */
export const overrides: Overrides = {
	speed: 1,
	patience: 1,
	widget_script: null,
	retry_schedule_seconds: null,
	allowed_webhook_hosts: [],
	webhook_refusal_hint: null,
	trusted_ca_pem: null,
};
