import { Aws } from 'aws-cdk-lib';
import type { LogQuery, LogSource } from '../log-queries.ts';
import { queryLink } from './console-links.ts';
import type { HttpApi } from './http-api.ts';
import type { Workers } from './workers.ts';

/** What queries read: the log groups of the functions and of the gateway. */
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

	/** A link that opens a query over the last `hours` hours in AWS's console. */
	linkTo({ text, sources }: LogQuery, hours = 3): string {
		// The name of the access log is fixed, so its slashes can be encoded here for the link.
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
