/** Settings that the local stack may change, but a deployment may not. */
export type Overrides = {
	/** The deadlines of calls are divided by this number, because simulated phones may run on a faster clock. */
	readonly speed: number;
	/**
	 * The time limits for responses of AWS are multiplied by this number, because the stand-ins for AWS share a machine
	 * with everything else.
	 */
	readonly patience: number;
	/** The address of the widget's script. If null, the script has the address at which the deployment serves it. */
	readonly widget_script: string | null;
	/** Seconds before each attempt of a delivery and each try of a notice. Null for the usual schedules. */
	readonly retry_schedule_seconds: readonly number[] | null;
	/** `host:port` pairs that the address guard allows. */
	readonly allowed_webhook_hosts: readonly string[];
	/** A further hint for a developer whose webhook address was refused. */
	readonly webhook_refusal_hint: string | null;
	/** Further certificate authorities (PEM), which webhook receivers may use. */
	readonly trusted_ca_pem: string | null;
};

/**
 * A deployment overrides nothing. The build of the local stack replaces this file with `local/overrides.ts`. So nothing can
 * override the settings of a deployed bundle.
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
