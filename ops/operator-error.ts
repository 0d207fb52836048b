/**
 * An error that the person at the command line can correct. Its message is printed without a stack trace, and the exit code
 * is 1.
 */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}
