import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs the AWS CLI and returns its output as JSON text. Null if the CLI is not installed. */
export async function awsCli(...args: readonly string[]): Promise<string | null> {
	try {
		return (await run('aws', [...args, '--output', 'json'], { env: process.env, maxBuffer: 64_000_000 })).stdout;
	} catch (error) {
		if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return null;
		throw error;
	}
}
