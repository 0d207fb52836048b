/** A mistake that the user can correct: printed without a stack trace. */
export class LocalError extends Error {
	override readonly name = 'LocalError';
}
