import { Aws } from 'aws-cdk-lib';
import type { LogQuery, LogSource } from '../log-queries.ts';
import { queryLink } from './console-links.ts';
import type { HttpApi } from './http-api.ts';
import type { Workers } from './workers.ts';

/** Where queries read: the log groups of the functions and of the gateway. */
export class LogSources {
	private readonly groups: ReadonlyMap<string, string>;

	constructor(api: HttpApi, workers: Workers) {
		const functions = [...api.functions, ...Object.values(workers.functions)];
		this.groups = new Map([
			...functions.map(({ name, logGroup }) => [name, logGroup.logGroupName] as const),
			['access-log', api.accessLog.logGroupName],
		]);
	}

	namesOf({ sources }: Pick<LogQuery, 'sources'>): string[] {
		return sources.map((source) => this.nameOf(source));
	}

	/** Opens a query in AWS's console, over the last hours. */
	linkTo({ text, sources }: LogQuery, hours = 3): string {
		// The access log's name is known. Its slashes have to be encoded in a link.
		const inLink = (source: LogSource) =>
			source === 'access-log' ? `*2Faws*2Fvendedlogs*2Fapis*2F${Aws.STACK_NAME}` : this.nameOf(source);
		return queryLink(text, sources.map(inLink), hours);
	}

	private nameOf(source: LogSource): string {
		const name = this.groups.get(source);
		if (name === undefined) throw new Error(`nothing logs as ${source}`);
		return name;
	}
}
