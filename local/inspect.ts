import { open, url } from 'node:inspector';
import { join } from 'node:path';
import { bundleReadable } from '../infra/bundle/functions.ts';
import { OperatorError } from '../ops/operator-error.ts';
import type { Template } from './template.ts';

/** The port at which debuggers look by default. */
const PORT = 9229;

/** Replaces the bundle of a function with readable code and its sources, and waits for debuggers on this machine. */
export async function openForDebuggers(name: string, template: Template, assets: string): Promise<void> {
	const found = Object.values(template.Resources).find(
		({ Type, Metadata = {} }) => Type === 'AWS::Lambda::Function' && Metadata['function'] === name,
	);
	if (found === undefined)
		throw new OperatorError(`--inspect: there is no function ${name}; see the folder functions/.`);
	await bundleReadable(name, join(assets, String(found.Metadata?.['aws:asset:path']), 'index.js'));
	open(PORT, '127.0.0.1');
	// `open` only prints a line if it cannot listen.
	if (url() === undefined)
		throw new OperatorError(
			`--inspect: port ${PORT} is taken, probably by another program with a debugger; end it first.`,
		);
}
