import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** The prefix of every output, by which operators' tools find the service's outputs in a larger stack. */
const OUTPUT_PREFIX = 'CallBack';

type Output = { readonly value: string; readonly description: string };

/**
 * The outputs of the service, by their names without the prefix. A name never changes, because operators' files and scripts
 * contain it. For a better name, add a second output.
 */
export function addOutputs(scope: Construct, outputs: Readonly<Record<string, Output>>): void {
	for (const [name, output] of Object.entries(outputs))
		new CfnOutput(scope, name, output).overrideLogicalId(`${OUTPUT_PREFIX}${name.replaceAll('-', '')}`);
}

/** The readable name of a queue’s output, such as DeadLettersQueueUrl. */
export const queueOutput = (queue: string): string =>
	`${queue.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}QueueUrl`;
