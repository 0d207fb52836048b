/**
 * The gateway's log line for each request, in the gateway's variables. It has no path and no address, because a call's id
 * is a secret on the status route.
 */
export const ACCESS_LOG = {
	request_id: '$context.requestId',
	route: '$context.routeKey',
	status: '$context.status',
	response_bytes: '$context.responseLength',
	latency_ms: '$context.responseLatency',
	integration_latency_ms: '$context.integrationLatency',
	integration_error: '$context.integrationErrorMessage',
} as const;
