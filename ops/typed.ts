// Some messages tell people which command to type or which page to read. Both depend on where the program comes from: a clone,
// or the package `@call-back/cdk`.

/** The command that starts the package's programs. Undefined in a clone of the repository. */
const ofPackage = (): string | undefined => process.env['CALL_BACK_PROGRAMS'];

export const isOfPackage = (): boolean => ofPackage() !== undefined;

/** The text that a person types to start a program, without the program's arguments. */
export function typed(program: string): string {
	const start = ofPackage();
	return start === undefined ? `npm run ${program} --` : `${start} ${program}`;
}

/** The text that a person types to run a command of the CDK's CLI, such as `deploy`. */
export const typedForCdk = (command: string): string => (isOfPackage() ? `npx cdk ${command}` : `npm run ${command}`);

/** The path of a page of the documentation. `name` is its file, such as `mail.md`. */
export const docsPage = (name: string): string =>
	isOfPackage() ? `node_modules/@call-back/cdk/docs/${name}` : `docs/${name}`;

/**
 * The file from which the package's programs read the outputs, unless the operator names another file. In a clone, programs
 * work on the local stack by default, but the package has no local stack.
 */
const OUTPUTS = 'outputs.json';

/** The file of outputs on which a command works. Undefined if the command works on the local stack. */
export function outputsOf(given: { readonly outputs?: string | undefined; readonly stateDir?: string | undefined }) {
	return given.outputs ?? (isOfPackage() && given.stateDir === undefined ? OUTPUTS : undefined);
}
