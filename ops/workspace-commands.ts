import { isEmailAddress } from '../shared/domain/email-address.ts';
import { type DEFAULT_LIMITS, ringOrders, ringStrategies, type Workspace } from '../shared/domain/workspace.ts';
import { createWorkspace } from '../shared/use-cases/create-workspace.ts';
import { type Command, OperatorError, type OptionValues, optionalCount, optionalText, text, texts } from './command.ts';
import type { OpsDeps } from './connect.ts';

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

/** Who hears of callback leads; `none` for nobody. */
function teamEmail(options: OptionValues): { readonly team_email?: string | null } {
	const given = optionalText(options, 'team-email');
	if (given === undefined) return {};
	if (given === 'none') return { team_email: null };
	if (!isEmailAddress(given)) throw new OperatorError(`not an e-mail address: ${given}`);
	return { team_email: given };
}

/** Said where an address is set and nothing can be sent to it. */
function mailNote({ team_email }: Workspace, { mail_sender }: OpsDeps): { readonly note?: string } {
	if (!team_email || mail_sender !== null) return {};
	return { note: 'No message will be sent: the deployment has no MailSender (docs/leads.md).' };
}

const create: Command = {
	words: 'workspace create',
	help: '--name N --region US --origin https://shop.example [--origin …] --team +1202… [--team …] [--ring-strategy simultaneous|sequential|round_robin] [--ring-order agent_first|visitor_first] [--allowed-region CA …] [--team-email team@shop.example]',
	options: {
		name: string,
		region: string,
		origin: many,
		team: many,
		'ring-strategy': string,
		'ring-order': string,
		'allowed-region': many,
		'team-email': string,
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
				...teamEmail(options),
			},
			deps,
		);
		if ('workspace' in outcome) return { ...shown(outcome.workspace), ...mailNote(outcome.workspace, deps) };
		if (outcome.refused === 'origin_invalid') throw new OperatorError(`not an exact origin: ${outcome.value}`);
		if (outcome.refused === 'team_email_invalid') throw new OperatorError(`not an e-mail address: ${outcome.value}`);
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
	help: `--id WORKSPACE_ID [--calls on|off] [--consent-text …] [--team-email ADDRESS|none] ${Object.keys(limitOptions)
		.map((name) => `[--${name} N]`)
		.join(' ')}`,
	options: {
		id: string,
		calls: string,
		'consent-text': string,
		'team-email': string,
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
			...teamEmail(options),
			consent_text: optionalText(options, 'consent-text') ?? workspace.consent_text,
		};
		const guard = { if: 'version', version: workspace.version } as const;
		const outcome = await deps.store.commit([{ op: 'put', record: 'workspace', item, guard }]);
		if (!outcome.committed) throw new OperatorError('the workspace was changed meanwhile; look again');
		return { ...shown(item), ...mailNote(item, deps) };
	},
};

export const workspaceCommands: readonly Command[] = [create, show, set];
