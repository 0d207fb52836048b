/**
 * AWS refused a request, or gave no clear response within the budget. The error contains codes for the log, and nothing of
 * the request itself.
 */
export class AwsFailure extends Error {
	override readonly name = 'AwsFailure';
	readonly service: string;
	readonly service_operation: string;
	readonly code: string;

	constructor(service: string, serviceOperation: string, code: string) {
		super(`${service}: ${serviceOperation} failed with ${code}`);
		this.service = service;
		this.service_operation = serviceOperation;
		this.code = code;
	}
}

/** The code of an error of the SDK's own clients: AWS's code, or Node's code if there was no response. */
export function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown';
	return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/**
 * Error codes with which AWS refuses a signature, because the signature is too old, too new or wrong. The SDK's retries use
 * the same list (`CLOCK_SKEW_ERROR_CODES`).
 */
const SIGNATURE_REFUSALS: ReadonlySet<string> = new Set([
	'AuthFailure',
	'InvalidSignatureException',
	'RequestExpired',
	'RequestInTheFuture',
	'RequestTimeTooSkewed',
	'SignatureDoesNotMatch',
]);

/**
 * Whether AWS refused a request only because of its signature. In that case, AWS has not performed the operation. Usually,
 * the function was frozen between signing and sending, so that the signature is too old. AWS accepts the same request with
 * a new signature.
 */
export const isSignatureRefusal = (code: string): boolean => SIGNATURE_REFUSALS.has(code);
