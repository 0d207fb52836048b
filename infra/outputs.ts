import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Every output begins with it, so that operators' tools find the service's in a stack with other things. */
const OUTPUT_PREFIX = 'CallBack';

type Output = { readonly value: string; readonly description: string };

/**
 * The outputs of the service, by their names without the prefix. A name is forever: operators' files and scripts have it. To give
 * one a better name, add the better one.
 */
export function addOutputs(scope: Construct, outputs: Readonly<Record<string, Output>>): void {
	for (const [name, output] of Object.entries(outputs))
		new CfnOutput(scope, name, output).overrideLogicalId(`${OUTPUT_PREFIX}${name.replaceAll('-', '')}`);
}

/** The readable name of a queue’s output, such as that of the dead letters: DeadLettersQueueUrl. */
export const queueOutput = (queue: string): string =>
	`${queue.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}QueueUrl`;
