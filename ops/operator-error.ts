/** A refusal that the person at the command line can act on. It is printed without a stack trace; exit code 1. */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}
