/** A refusal that the operator can act on. It is printed without a stack trace; exit code 1. */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}
