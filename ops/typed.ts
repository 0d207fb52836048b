// What people type and read depends on where they have the programs from: a clone, or the package `@call-back/cdk`.

/** What starts the package's programs; undefined: this is a clone. */
const ofPackage = (): string | undefined => process.env['CALL_BACK_PROGRAMS'];

export const isOfPackage = (): boolean => ofPackage() !== undefined;

/** What starts a program, before its arguments. */
export function typed(program: string): string {
	const start = ofPackage();
	return start === undefined ? `npm run ${program} --` : `${start} ${program}`;
}

/** What starts a command of the CDK's CLI, such as `deploy`. */
export const typedForCdk = (command: string): string => (isOfPackage() ? `npx cdk ${command}` : `npm run ${command}`);

/** Where a page of the documentation is: `page('mail.md')`. */
export const docsPage = (name: string): string =>
	isOfPackage() ? `node_modules/@call-back/cdk/docs/${name}` : `docs/${name}`;

/** Where the package's programs find the deployed stack if nothing else is named: it has no stack of this machine. */
const OUTPUTS = 'outputs.json';

/** The file of outputs that a command works on; undefined: the stack of this machine. */
export function outputsOf(given: { readonly outputs?: string | undefined; readonly stateDir?: string | undefined }) {
	return given.outputs ?? (isOfPackage() && given.stateDir === undefined ? OUTPUTS : undefined);
}
