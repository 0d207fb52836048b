import type { Route } from '../../contract/route.ts';
import { found, Refused } from '../exchange.ts';
import { parseBody, parseQuery } from '../parse.ts';
import type { Stage } from '../pipeline.ts';
import { NOT_FOUND } from '../refusals.ts';

/** Parses params, query and body with the route's schemas. Answers 404 to invalid params. */
export function parseInput<R extends Route, Caller>(route: R): Stage<R, Caller> {
	return {
		name: 'parse-input',
		before: ({ event: exchange }) => {
			const params = parseBody<R['params']>(route.params, exchange.request.params);
			if ('problem' in params) throw new Refused(NOT_FOUND);
			const query = parseQuery<R['query']>(route.query, exchange.request.query);
			if ('problem' in query) throw new Refused(query.problem);
			const body = parseBody<R['body']>(route.body, found(exchange.json, 'read-json').value);
			if ('problem' in body) throw new Refused(body.problem);
			exchange.input = { params: params.value, query: query.value, body: body.value };
		},
	};
}
