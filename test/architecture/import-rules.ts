import { join } from 'node:path';

/** Patterns of paths, as dependency-cruiser's reference of rules describes them. */
type Condition = { readonly path?: string | readonly string[]; readonly pathNot?: string | readonly string[] };
type Rule = {
	readonly name: string;
	readonly comment?: string;
	readonly severity: 'error';
	readonly from: Condition;
	readonly to: Condition & {
		readonly circular?: boolean;
		readonly couldNotResolve?: boolean;
		readonly dependencyTypes?: readonly string[];
		readonly dependencyTypesNot?: readonly string[];
	};
};

/** A rule by which `from` never imports `to`. */
function never(name: string, comment: string, from: string, to: Rule['to']): Rule {
	return { name, comment, severity: 'error', from: { path: from }, to };
}

const outside = '^(functions|infra|local|ops|packages|examples|tools|test)/';

/**
 * The subject folders ("rooms") that every layer has. A room may import from itself and from rooms further down in this list,
 * in its own layer and in lower layers.
 */
const ROOMS = [
	'dead-letters',
	'retention',
	'trace',
	'desk',
	'leads',
	'notices',
	'widget',
	'calls',
	'workspaces',
	'access',
	'webhooks',
	'kernel',
] as const;
const LAYERS_WITH_ROOMS = '^shared/(domain|use-cases|contract)';

const roomRules = ROOMS.slice(1).map((room, index) =>
	never(`${room}-imports-no-room-above`, 'Rooms form a stack.', `${LAYERS_WITH_ROOMS}/${room}/`, {
		path: `${LAYERS_WITH_ROOMS}/(${ROOMS.slice(0, index + 1).join('|')})/`,
	}),
);

/** Outer layers import inner layers, never the reverse. Most rules forbid the reverse for one layer. */
const forbidden: Rule[] = [
	{
		name: 'no-cycle',
		comment: 'Modules that need each other are one module, or miss a third.',
		severity: 'error',
		from: {},
		to: { circular: true },
	},
	{ name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
	never('no-dev-package-in-product', 'What is deployed imports runtime dependencies only.', '^(shared|functions)/', {
		dependencyTypes: ['npm-dev'],
		dependencyTypesNot: ['type-only'],
	}),
	// From node:net, the domain may import only what calculates with addresses: BlockList, isIPv4 and isIPv6.
	never('domain-is-pure', 'The domain imports itself, node:crypto and node:net only.', '^shared/domain/', {
		pathNot: ['^shared/domain/', '^(node:)?(crypto|net)$'],
	}),
	never('ports-are-types', 'A port imports only the domain.', '^shared/ports/', {
		pathNot: ['^shared/(ports|domain)/'],
	}),
	never('contract-is-the-wire', 'The contract imports only the domain and zod.', '^shared/contract/', {
		pathNot: ['^shared/(contract|domain)/', '^node_modules/zod/'],
	}),
	never('use-cases-know-ports', 'A use case knows the domain, ports and the contract.', '^shared/use-cases/', {
		pathNot: ['^shared/(use-cases|ports|domain|contract)/', '^shared/overrides\\.ts$', '^(node:)?crypto$'],
	}),
	never(
		'adapters-know-ports',
		'An adapter knows ports and the domain; no use case, edge or wire.',
		'^shared/adapters/',
		{ path: ['^shared/(use-cases|http|contract)/', '^shared/deps\\.ts$', outside] },
	),
	never('the-edge-knows-no-adapter', 'Adapters are chosen in shared/deps.ts.', '^shared/http/', {
		path: ['^shared/adapters/', '^shared/deps\\.ts$', outside],
	}),
	never(
		'presentation-knows-words',
		'What people read knows the domain and the ports’ types, and reads files of texts.',
		'^shared/presentation/',
		{ pathNot: ['^shared/(presentation|domain|ports)/', '^(node:)?(fs|path)$'] },
	),
	never('functions-are-thin', 'A function gets its adapters from shared/deps.ts.', '^functions/', {
		path: ['^shared/adapters/', '^(infra|local|ops|packages|tools|test)/'],
	}),
	never('infra-knows-data', 'The stack reads the route table, the table definition and paths.', '^infra/(?!bundle/)', {
		path: ['^shared/', '^(functions|local|ops|packages|tools|test)/'],
		pathNot: ['^shared/(contract|domain|ports)/', '^shared/adapters/dynamodb/table\\.ts$'],
	}),
	never('local-reads-the-template', 'One machine runs the template and the bundles, not the stack.', '^local/', {
		path: '^(functions|infra|test|shared/http)/',
		pathNot: '^infra/bundle/',
	}),
	never('operators-know-no-machine', 'A command of operators works on every stack.', '^ops/', {
		path: '^(local|functions|infra|test|tools)/',
		// The preflight reads these two files to learn what will be deployed.
		pathNot: '^infra/(deployment|properties)\\.ts$',
	}),
	never('widget-takes-types', 'The widget takes only types from the service.', '^packages/widget/', {
		path: '^(shared|functions|infra|local|ops|packages/client|tools|test)/',
		dependencyTypesNot: ['type-only'],
	}),
	never('client-takes-types', 'The client stands alone: it takes only types from the service.', '^packages/client/', {
		path: '^(shared|functions|infra|local|ops|tools|packages/widget|test)/',
		dependencyTypesNot: ['type-only'],
	}),
	never('the-cdk-package-is-the-construct', 'The package is the construct with its bundles.', '^packages/cdk/', {
		path: '^(shared|functions|local|ops|packages/(client|widget)|tools|test)/',
	}),
	never('examples-are-customers', 'An example has what a customer has: the client.', '^examples/', {
		path: '^(shared|functions|infra|local|ops|tools|packages/widget|test)/',
	}),
	...roomRules,
	never('nothing-imports-tests', 'The product knows no test.', '^(?!test/)', { path: '^test/' }),
];

// biome-ignore lint/style/noDefaultExport: dependency-cruiser takes the default export
export default {
	forbidden,
	options: {
		doNotFollow: { path: 'node_modules' },
		// The rules leave out the program in test/openapi/typescript, which imports a client that its test generates, and folders of
		// tools/ with their own packages.
		exclude: {
			path: [
				'^(cdk\\.out|dist|\\.local|test/openapi/typescript)/',
				'^tools/(api-linters|bench-peers|check|docs-site/\\.vitepress|mutants|next-page|old-browsers)/',
			],
		},
		tsPreCompilationDeps: true,
		tsConfig: { fileName: join(import.meta.dirname, '../../tsconfig.json') },
		enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
	},
};
