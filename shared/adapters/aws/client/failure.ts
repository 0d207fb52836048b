/**
 * AWS refused an operation, or gave no clear answer within the budget. It tells the log which service, operation and code,
 * and holds nothing of what was asked.
 */
export class AwsFailure extends Error {
	override readonly name = 'AwsFailure';
	readonly service: string;
	readonly service_operation: string;
	readonly code: string;

	constructor(service: string, service_operation: string, code: string) {
		super(`${service}: ${service_operation} failed with ${code}`);
		this.service = service;
		this.service_operation = service_operation;
		this.code = code;
	}
}

/** The code of what the SDK's own clients throw: AWS's, or Node's where no answer came. */
export function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown';
	return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
