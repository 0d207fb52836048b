/** Something that whoever started the stack can mend: printed as it is, without a stack trace. */
export class LocalError extends Error {
	override readonly name = 'LocalError';
}
