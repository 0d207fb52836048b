import { existsSync, readFileSync } from 'node:fs';
import { DeploymentFile, PropertiesError, readProperties } from './properties.ts';

/** The file in the root of a clone that describes the deployment. DEPLOYMENT_CONFIG may name another file. */
export const DEPLOYMENT_FILE = 'deployment.config.json';
const STACK = 'CallBack';

export type Deployment = Omit<DeploymentFile, 'stackName' | 'tags'> & {
	readonly stackName: string;
	readonly tags: Readonly<Record<string, string>>;
};

/**
 * Reads the file that describes the deployment. If there is no file, every property has its default. Throws a
 * `PropertiesError` with a sentence for each wrong property. Also throws if `named` is a file that does not exist, or if
 * the file is not JSON.
 */
export function readDeployment(named = process.env['DEPLOYMENT_CONFIG']): Deployment {
	const file = named ?? DEPLOYMENT_FILE;
	const content = named === undefined && !existsSync(file) ? {} : contentOf(file);
	const { stackName = STACK, tags = {}, ...properties } = readProperties(DeploymentFile, content, file);
	return { ...properties, stackName, tags };
}

function contentOf(file: string): unknown {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		throw new PropertiesError(`${file} cannot be read: ${String(error)}`);
	}
}
