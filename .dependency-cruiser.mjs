/** Imports point inward. Each rule says who may not know whom; `test/architecture` asserts that every module was read. */
const rooms = '^(shared|functions|infra|local|ops|client|bench|build|widget|test)/';

/** @param {string} name @param {string} comment @param {string | string[]} from @param {object} to */
const never = (name, comment, from, to) => ({ name, comment, severity: 'error', from: { path: from }, to });

export default {
	forbidden: [
		{
			name: 'no-cycle',
			severity: 'error',
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		},
		{ name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
		{
			name: 'no-dev-package-in-product',
			comment: 'What is deployed imports runtime dependencies only.',
			severity: 'error',
			from: { path: '^(shared|functions)/' },
			to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '@types/aws-lambda' },
		},
		never('domain-is-pure', 'The domain imports itself and node:crypto only.', '^shared/domain/', {
			pathNot: ['^shared/domain/', '^(node:)?crypto$'],
		}),
		never('ports-are-types', 'A port speaks of the domain and of nothing else.', '^shared/ports/', {
			pathNot: ['^shared/(ports|domain)/'],
		}),
		never('contract-is-the-wire', 'The contract knows the domain and zod.', '^shared/contract/', {
			pathNot: ['^shared/(contract|domain)/', 'node_modules/zod/'],
		}),
		never(
			'use-cases-know-ports',
			'A use case knows the domain, ports and problems; never an adapter or the edge.',
			'^shared/use-cases/',
			{
				pathNot: ['^shared/(use-cases|ports|domain|contract)/', '^shared/overrides\\.ts$', '^(node:)?crypto$'],
			},
		),
		never(
			'adapters-know-ports',
			'An adapter knows ports and the domain; never a use case, the edge or the wire.',
			'^shared/adapters/',
			{
				path: '^(shared/(use-cases|http|contract|deps)|functions|infra|local|ops|client|bench|build|widget|test)',
			},
		),
		never('http-stays-at-the-edge', 'The edge knows no adapter.', '^shared/http/', {
			path: '^(shared/adapters|functions|infra|local|ops|client|bench|build|widget|test)/',
		}),
		never('functions-are-thin', 'A function reaches adapters through shared/deps.ts.', '^functions/', {
			path: '^(shared/adapters|functions|infra|local|ops|client|bench|build|widget|test)/',
		}),
		never('infra-knows-data', 'The stack reads the route table, the table definition and paths.', '^infra/', {
			path: rooms,
			pathNot: [
				'^infra/',
				'^build/',
				'^shared/contract/',
				'^shared/domain/',
				'^shared/ports/',
				'^shared/adapters/dynamodb/table\\.ts$',
			],
		}),
		never(
			'local-reads-the-template',
			'One machine runs the template; it does not reach into functions, use cases or the stack.',
			'^local/',
			{
				path: '^(functions|infra|test|bench|client|shared/(use-cases|http))/',
			},
		),
		never('widget-takes-types', 'The widget takes types only from the service.', '^widget/', {
			path: '^(shared|functions|infra|local|ops|client|bench|build|test)/',
			dependencyTypesNot: ['type-only'],
		}),
		never('client-takes-types', 'The client is copied out: it takes types only from the service.', '^client/', {
			path: '^(shared|functions|infra|local|ops|bench|build|widget|test)/',
			dependencyTypesNot: ['type-only'],
		}),
		never('nothing-imports-tests', 'Product code knows no test.', '^(?!test/|bench/)', { path: '^(test|bench)/' }),
	],
	options: {
		includeOnly: undefined,
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^(node_modules|cdk\\.out|dist|\\.local)/' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
	},
};
