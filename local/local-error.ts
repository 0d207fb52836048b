/** An error that the user can correct. It is printed without a stack trace. */
export class LocalError extends Error {
	override readonly name = 'LocalError';
}
