import * as z from 'zod/mini';
import { readJsonFile } from './input/read-json.ts';
import { OperatorError } from './operator-error.ts';
import { isOfPackage } from './typed.ts';

const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

export type DeployedStack = { readonly name: string; readonly outputs: Readonly<Record<string, string>> };

/**
 * Finds the service's stack in a file that `cdk deploy --outputs-file` wrote. Throws `OperatorError` if the file has no
 * such stack, or more than one.
 */
export function deployedStack(file: string): DeployedStack {
	const stacks = Object.entries(
		readJsonFile(
			file,
			Outputs,
			isOfPackage()
				? 'npx cdk deploy --outputs-file writes it'
				: 'cdk deploy --outputs-file writes it, and npm run deploy',
		),
	);
	const services = stacks.filter(([, outputs]) => 'CallBackBaseUrl' in outputs);
	const [[name, outputs] = []] = services;
	if (name === undefined || outputs === undefined) {
		throw new OperatorError(`${file} has no stack with the output CallBackBaseUrl: deploy the service first.`);
	}
	if (services.length === 1) return { name, outputs };
	const names = services.map(([each]) => each).join(', ');
	throw new OperatorError(`${file} has several: ${names}. Deploy one of them with --outputs-file, and name that file.`);
}
