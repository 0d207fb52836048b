import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { savedQueries } from '../log-queries.ts';
import type { LogSources } from './log-sources.ts';

/**
 * The queries that answer customers' questions, in CloudWatch's list of saved queries. Saved queries cost nothing until
 * they are run.
 */
export class SavedQueries extends Construct {
	constructor(scope: Construct, id: string, logs: LogSources) {
		super(scope, id);
		const { stackName } = Stack.of(this);
		for (const [name, query] of Object.entries(savedQueries)) {
			const logGroupNames = logs.namesOf(query);
			const queryString = `# ${query.question}\n${query.text}`;
			new CfnQueryDefinition(this, name, { name: `${stackName}/${name}`, queryString, logGroupNames });
		}
	}
}
