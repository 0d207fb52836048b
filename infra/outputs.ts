import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** The beginning of every output's name. By this prefix, operators' tools find the service's outputs in a larger stack. */
const OUTPUT_PREFIX = 'CallBack';

type Output = { readonly value: string; readonly description: string };

/**
 * Adds the outputs of the service. `outputs` has the names without the prefix. A name never changes, because operators'
 * files and scripts contain it. If you want a better name, add a second output.
 */
export function addOutputs(scope: Construct, outputs: Readonly<Record<string, Output>>): void {
	for (const [name, output] of Object.entries(outputs))
		new CfnOutput(scope, name, output).overrideLogicalId(`${OUTPUT_PREFIX}${name.replaceAll('-', '')}`);
}

/** The readable name of the output for a queue, such as DeadLettersQueueUrl. */
export const queueOutput = (queue: string): string =>
	`${queue.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}QueueUrl`;
