import { limitsOf, type Workspace } from '../shared/domain/workspaces/workspace.ts';
import { changeWorkspace } from '../shared/use-cases/workspaces/change-workspace.ts';
import { createWorkspace } from '../shared/use-cases/workspaces/create-workspace.ts';
import { type Command, NO_WORKSPACE, OperatorError, type OptionValues, string, text } from './command.ts';
import type { OpsDeps } from './connect.ts';
import { SETTINGS_HELP, settingOptions, settingsOf } from './workspace-options.ts';

/** A workspace as an operator sees it: whole, for it holds no number and no secret. */
function shown(workspace: Workspace) {
	const { version: _version, ...rest } = workspace;
	return { ...rest, limits: limitsOf(workspace) };
}

/** Said where an address is set and nothing can be sent to it. */
function mailNote({ team_email }: Workspace, { mail_sender }: OpsDeps): { readonly note?: string } {
	if (!team_email || mail_sender !== null) return {};
	return { note: 'No message will be sent: the deployment has no MailSender (docs/leads.md).' };
}

const BAD_NUMBER = 'a --team number is not valid in international format (+1 202 …)';

/** The settings that the options give; regions must be ones that have numbers. */
function settings(options: OptionValues, before: Workspace | null, { numbers }: OpsDeps) {
	const given = settingsOf(options, before);
	const unknown = [given.region ?? [], given.allowed_regions ?? []].flat().find((one) => !numbers.hasRegion(one));
	if (unknown !== undefined) throw new OperatorError(`no numbering plan is known for the region ${unknown}`);
	return given;
}

const create: Command = {
	words: 'workspace create',
	help: `--name N --region US --origin https://shop.example --team +1202…, and any of
      ${SETTINGS_HELP}`,
	options: settingOptions,
	run: async (options, deps) => {
		const given = settings(options, null, deps);
		const { name, region, origins = [], team = [], allowed_regions = [], limits, business_hours, ...rest } = given;
		if (name === undefined || region === undefined) throw new OperatorError('--name and --region are required');
		const outcome = await createWorkspace(
			{
				...rest,
				name,
				region,
				origins,
				team,
				allowed_regions: [...new Set([region, ...allowed_regions])],
				limits: limits ?? {},
				business_hours: business_hours ?? null,
			},
			deps,
		);
		if ('workspace' in outcome) return { ...shown(outcome.workspace), ...mailNote(outcome.workspace, deps) };
		throw new OperatorError(outcome.refused === 'team_number_invalid' ? BAD_NUMBER : `not valid: ${outcome.value}`);
	},
};

async function workspaceOf(options: OptionValues, { store }: OpsDeps): Promise<Workspace> {
	const workspace = await store.get('workspace', { id: text(options, 'id') });
	if (workspace === null) throw new OperatorError(NO_WORKSPACE);
	return workspace;
}

const show: Command = {
	words: 'workspace show',
	help: '--id WORKSPACE_ID',
	options: { id: string },
	run: async (options, deps) => shown(await workspaceOf(options, deps)),
};

const set: Command = {
	words: 'workspace set',
	help: `--id WORKSPACE_ID and any of
      ${SETTINGS_HELP}`,
	options: { id: string, ...settingOptions },
	run: async (options, deps) => {
		const before = await workspaceOf(options, deps);
		const outcome = await changeWorkspace(before.id, settings(options, before, deps), deps);
		if ('workspace' in outcome) return { ...shown(outcome.workspace), ...mailNote(outcome.workspace, deps) };
		throw new OperatorError(outcome.refused === 'not_found' ? NO_WORKSPACE : BAD_NUMBER);
	},
};

export const workspaceCommands: readonly Command[] = [create, show, set];
