// The commands and pages in messages for people depend on where the programs come from: a clone, or the package
// `@call-back/cdk`.

/** The command that starts the package's programs; undefined: this is a clone. */
const ofPackage = (): string | undefined => process.env['CALL_BACK_PROGRAMS'];

export const isOfPackage = (): boolean => ofPackage() !== undefined;

/** The command that starts a program, without its arguments. */
export function typed(program: string): string {
	const start = ofPackage();
	return start === undefined ? `npm run ${program} --` : `${start} ${program}`;
}

/** The command that starts one of the CDK's CLI, such as `deploy`. */
export const typedForCdk = (command: string): string => (isOfPackage() ? `npx cdk ${command}` : `npm run ${command}`);

/** Where a page of the documentation is: `page('mail.md')`. */
export const docsPage = (name: string): string =>
	isOfPackage() ? `node_modules/@call-back/cdk/docs/${name}` : `docs/${name}`;

/** The default file of outputs for the package's programs, which have no stack on this machine. */
const OUTPUTS = 'outputs.json';

/** The file of outputs that a command works on; undefined: the stack on this machine. */
export function outputsOf(given: { readonly outputs?: string | undefined; readonly stateDir?: string | undefined }) {
	return given.outputs ?? (isOfPackage() && given.stateDir === undefined ? OUTPUTS : undefined);
}
