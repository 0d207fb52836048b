/** A refusal that the operator can act on: printed as it is, exit code 1. */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}
