import { type DEFAULT_LIMITS, ringOrders, ringStrategies, type Workspace } from '../shared/domain/workspace.ts';
import { createWorkspace } from '../shared/use-cases/create-workspace.ts';
import { type Command, OperatorError, type OptionValues, optionalCount, optionalText, text, texts } from './command.ts';

const string = { type: 'string' } as const;
const many = { type: 'string', multiple: true } as const;

function oneOf<const T extends string>(allowed: readonly T[], options: OptionValues, name: string): T | undefined {
	const value = optionalText(options, name);
	if (value === undefined) return undefined;
	const found = allowed.find((item) => item === value);
	if (found === undefined) throw new OperatorError(`--${name} is one of ${allowed.join(', ')}`);
	return found;
}

/** A workspace as an operator sees it: whole, for it holds no number and no secret. */
function shown(workspace: Workspace) {
	const { version: _version, ...rest } = workspace;
	return rest;
}

const create: Command = {
	words: 'workspace create',
	help: '--name N --region US --origin https://shop.example [--origin …] --team +1202… [--team …] [--ring-strategy simultaneous|sequential|round_robin] [--ring-order agent_first|visitor_first] [--allowed-region CA …]',
	options: {
		name: string,
		region: string,
		origin: many,
		team: many,
		'ring-strategy': string,
		'ring-order': string,
		'allowed-region': many,
	},
	run: async (options, deps) => {
		const regions = texts(options, 'allowed-region');
		const region = text(options, 'region');
		const strategy = oneOf(ringStrategies, options, 'ring-strategy');
		const order = oneOf(ringOrders, options, 'ring-order');
		const outcome = await createWorkspace(
			{
				name: text(options, 'name'),
				region,
				origins: texts(options, 'origin'),
				team: texts(options, 'team'),
				allowed_regions: [...new Set([region, ...regions])],
				...(strategy === undefined ? {} : { ring_strategy: strategy }),
				...(order === undefined ? {} : { ring_order: order }),
			},
			deps,
		);
		if ('workspace' in outcome) return shown(outcome.workspace);
		if (outcome.refused === 'origin_invalid') throw new OperatorError(`not an exact origin: ${outcome.value}`);
		throw new OperatorError('a --team number is not valid in international format');
	},
};

async function workspaceOf(options: OptionValues, deps: Parameters<Command['run']>[1]): Promise<Workspace> {
	const workspace = await deps.store.get('workspace', { id: text(options, 'id') });
	if (workspace === null) throw new OperatorError('no workspace has this id');
	return workspace;
}

const show: Command = {
	words: 'workspace show',
	help: '--id WORKSPACE_ID',
	options: { id: string },
	run: async (options, deps) => shown(await workspaceOf(options, deps)),
};

const limitOptions = {
	'calls-per-number-per-day': 'calls_per_number_per_day',
	'requests-per-address-per-window': 'requests_per_address_per_window',
	'requests-per-workspace-per-window': 'requests_per_workspace_per_window',
	'calls-per-day': 'calls_per_day',
} as const satisfies Record<string, keyof typeof DEFAULT_LIMITS>;

const set: Command = {
	words: 'workspace set',
	help: `--id WORKSPACE_ID [--calls on|off] [--consent-text …] ${Object.keys(limitOptions)
		.map((name) => `[--${name} N]`)
		.join(' ')}`,
	options: {
		id: string,
		calls: string,
		'consent-text': string,
		...Object.fromEntries(Object.keys(limitOptions).map((name) => [name, string])),
	},
	run: async (options, deps) => {
		const workspace = await workspaceOf(options, deps);
		const limits = { ...workspace.limits };
		for (const [option, field] of Object.entries(limitOptions)) {
			limits[field] = optionalCount(options, option) ?? limits[field];
		}
		const calls = oneOf(['on', 'off'], options, 'calls');
		const item: Workspace = {
			...workspace,
			version: workspace.version + 1,
			limits,
			calls_enabled: calls === undefined ? workspace.calls_enabled : calls === 'on',
			consent_text: optionalText(options, 'consent-text') ?? workspace.consent_text,
		};
		const guard = { if: 'version', version: workspace.version } as const;
		const outcome = await deps.store.commit([{ op: 'put', record: 'workspace', item, guard }]);
		if (!outcome.committed) throw new OperatorError('the workspace was changed meanwhile; look again');
		return shown(item);
	},
};

export const workspaceCommands: readonly Command[] = [create, show, set];
