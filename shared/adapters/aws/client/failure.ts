/** AWS refused, or gave no clear response within the budget. Has codes for the log, and nothing of the request. */
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

/** The code of an error of the SDK's own clients: AWS's code, or Node's if there was no response. */
export function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown';
	return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
