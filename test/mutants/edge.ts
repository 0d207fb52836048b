import { type Mutant, watched } from './mutant.ts';

const requests = 'test/unit/requests.test.ts';

/** What the edge of the API and the widget promise: who is let in, to what, and how often. */
export const edge: readonly Mutant[] = [
	...watched('shared/domain/cursor.ts', requests, [
		[
			'a cursor is bound to its workspace',
			'JSON.stringify([workspace_id, operation, sorted])',
			'JSON.stringify([operation, sorted])',
		],
		[
			'a cursor is bound to its list',
			'JSON.stringify([workspace_id, operation, sorted])',
			'JSON.stringify([workspace_id, sorted])',
		],
		[
			'a cursor is bound to its filters',
			'JSON.stringify([workspace_id, operation, sorted])',
			'JSON.stringify([workspace_id, operation])',
		],
		['a cursor ends', 'return age_ms > VALID_MS ? null :', 'return age_ms < 0 ? null :'],
	]),
];
