import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { WorkspaceSettings } from '../../shared/contract/workspaces/workspace.ts';
import { limitNames, limitsOf } from '../../shared/domain/access/limits.ts';
import { definedFields } from '../../shared/domain/kernel/defined-fields.ts';
import { isEmailAddress } from '../../shared/domain/workspaces/email-address.ts';
import { isSilenced } from '../../shared/domain/workspaces/silenced-members.ts';
import { timeZoneOfRegion, timeZonesOfRegion } from '../../shared/domain/workspaces/time-zone.ts';
import { type TeamMember, teamWebhookOwner, type Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { type CreateWorkspaceInput, createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { newlySilenced } from '../../shared/use-cases/workspaces/judge-team.ts';
import { settingsLike } from '../../shared/use-cases/workspaces/settings-like.ts';
import { type MemberSwitch, switchMember } from '../../shared/use-cases/workspaces/switch-member.ts';
import { type CommandAction, group, localDate, NO_WORKSPACE, WORKSPACE } from '../command.ts';
import type { OpsDeps } from '../connect.ts';
import { addSettings, type OptionValues, settingsFromOptions } from '../input/workspace-options.ts';
import { OperatorError } from '../operator-error.ts';
import { callsItself, deployedCaller } from '../own-caller.ts';
import type { Session } from '../session.ts';
import { shopFigures } from '../shop-figures.ts';
import { docsPage } from '../typed.ts';
import { BAD_ADDRESS, changeDeskPeople } from './desk-commands.ts';

/**
 * What an operator sees of a workspace: all settings. Of the chat's URL, only the origin is shown, because the URL is secret.
 */
function publicFields(workspace: Workspace) {
	const { id, name, workspace_key, region, calls_enabled, origins, team, created_at, ...others } = workspace;
	const { version: _version, team_webhook, silenced: _silenced, ...settings } = others;
	const not_rung = team.filter((member) => isSilenced(member, workspace)).map(({ id }) => id);
	return {
		id,
		name,
		workspace_key,
		region,
		calls_enabled,
		origins,
		team,
		created_at,
		...(not_rung.length > 0 && { not_rung }),
		// Sort the settings, because a stored record has its fields in no particular order.
		...Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))),
		team_webhook: team_webhook?.origin ?? null,
		limits: limitsOf(workspace),
	};
}

/** Warns if some settings of a workspace prevent calls or mails, and if the operator should check some settings. */
function warn(workspace: Workspace, { mail_sender }: OpsDeps, { note }: Session): void {
	const { team, origins, team_email, caller_number } = workspace;
	if (team.length === 0)
		note('No call is possible yet: the workspace has no team (workspace set --team "Ida Wells:+1202…").');
	const silenced = workspace.team.filter((member) => isSilenced(member, workspace));
	if (silenced.length > 0)
		note(`These are not rung, because the workspace’s own regions or prefixes forbid it: ${namesOf(silenced)}.`);
	if (silenced.length > 0 && silenced.length === team.length)
		note('No call is possible: the widget is closed (calls_unavailable, no_agent_callable).');
	if (origins.length === 0) {
		note('No call is possible yet: no site may show the widget (workspace set --origin https://shop.example).');
	}
	const limits = limitsOf(workspace);
	const none = limitNames.filter((name) => limits[name] === 0);
	if (none.length > 0) note(`These limits are 0, so all that they count is refused: ${none.join(', ')}.`);
	if (caller_number)
		note('Calls show the workspace’s own number: run `telephony check` to ask whether the provider allows it.');
	if (team_email && mail_sender === null) {
		note(`No mail will be sent: the deployment has no mailSender (${docsPage('mail.md')}).`);
	}
}

/** Warns if calls would show a member's own number as the caller. That member's phone would seem to call itself. */
async function warnOfOwnCaller(workspace: Workspace, deps: OpsDeps, { note }: Session): Promise<void> {
	if (await callsItself(workspace, deployedCaller(deps.telephony.settings), deps))
		note(
			'The caller number belongs to a member of the team, whose phone would seem to call itself. ' +
				'Networks refuse such calls or send them to voicemail: use a number of the provider.',
		);
}

const BAD_TEAM = {
	...deskTextsIn('en').refusals,
	team_number_invalid: 'a --team number is not valid in international format (+1 202 …, or "Ida Wells:+1 202 …")',
	team_number_not_callable:
		'a --team number is premium, satellite, of a refused prefix, or of a region that is not allowed: see --allowed-region and --allow-prefix',
	team_number_twice: 'two members of --team have the same number: a phone belongs to one member',
	not_found: NO_WORKSPACE,
	changed_meanwhile: 'another operator changed the workspace: try again',
};

/** The settings that the options give. Refuses a region that has no phone numbers. */
function settings(values: OptionValues, before: Workspace | null, { numbers }: OpsDeps) {
	const newSettings = settingsFromOptions(values, before);
	const unknownRegion = [newSettings.region ?? [], newSettings.allowed_regions ?? []]
		.flat()
		.find((one) => !numbers.hasRegion(one));
	if (unknownRegion !== undefined)
		throw new OperatorError(`no numbering plan is known for the region ${unknownRegion}`);
	return newSettings;
}

function clearTimeZone(region: string): string {
	const zone = timeZoneOfRegion(region);
	if (zone !== null) return zone;
	const zones = timeZonesOfRegion(region).join(', ');
	throw new OperatorError(`--time-zone is required: teams in ${region} can be in ${zones || 'any zone'}`);
}

function inputOf(like: WorkspaceSettings, settings: WorkspaceSettings): CreateWorkspaceInput {
	const { name, region = like.region, allowed_regions = like.allowed_regions ?? [] } = settings;
	if (name === undefined || region === undefined) throw new OperatorError('--name and --region are required');
	const time_zone = settings.time_zone ?? like.time_zone ?? clearTimeZone(region);
	return { ...settings, like, name, region, time_zone, allowed_regions: [...new Set([region, ...allowed_regions])] };
}

function create(act: CommandAction): CommandUnknownOpts {
	const command = new Command('create')
		.description('Create a workspace. --name is required. So is --region, unless you give --like.')
		.option(
			'--like <workspace>',
			'another workspace (its id, or its name if no other has it): copies its sites, look, texts, privacy links, language, regions, prefixes and time zone, ' +
				'but no team, hours, addresses, numbers or limits; other options override what it copies',
		)
		.option(
			'--owner <address>',
			'mail address of a person who may use the desk, the shop’s own page. It gets the invitation, and also the team’s messages unless you give --team-email',
		);
	addSettings(command);
	command.hook('preAction', (self) => {
		const { name, region, like }: OptionValues = self.opts();
		if (!name || !(region || like)) self.error('error: --name is required, and --region or --like');
	});
	return command.action(
		act(async ({ owner, like, ...values }, deps, session) => {
			if (owner !== undefined && !isEmailAddress(owner)) throw new OperatorError(BAD_ADDRESS);
			const newSettings = settings(values, null, deps);
			const isElsewhere = newSettings.region !== undefined;
			const model = like === undefined ? {} : settingsLike(await workspaceOf(like, deps), isElsewhere);
			// Unless the operator chooses another address, the owner gets the team's messages from the first day on.
			const notices = owner === undefined ? {} : { team_email: owner };
			const outcome = await createWorkspace(inputOf(model, { ...notices, ...newSettings }), deps);
			if ('refused' in outcome) throw new OperatorError(BAD_TEAM[outcome.refused]);
			warn(outcome.workspace, deps, session);
			await warnOfOwnCaller(outcome.workspace, deps, session);
			if (owner === undefined) return publicFields(outcome.workspace);
			const { workspace } = outcome;
			const invitation = { change: 'invite', address: owner, role: 'owner' } as const;
			return publicFields({ ...workspace, desk: await changeDeskPeople(workspace.id, invitation, deps, session) });
		}),
	);
}

/** How many days the figures can cover. The desk's page *Statistics* offers the same choice. */
const RANGES = ['7', '30'] as const;

function figures(act: CommandAction): CommandUnknownOpts {
	return new Command('figures')
		.description('Show the figures of the desk’s Statistics, with the pages and campaigns that calls came from.')
		.requiredOption(...WORKSPACE)
		.addOption(new Option('--days <number>', 'how many days back').choices(RANGES).default('7'))
		.action(
			act(async ({ workspace: id, days }, deps) => {
				await workspaceOf(id, deps);
				return shopFigures({ id, days: Number(days) }, deps);
			}),
		);
}

async function workspaceOf(id: string, { store }: OpsDeps): Promise<Workspace> {
	const workspace = await store.get('workspace', { id });
	if (workspace === null) throw new OperatorError(NO_WORKSPACE);
	return workspace;
}

const list = (act: CommandAction) =>
	new Command('list').description('List all workspaces, oldest first. It reads the whole table.').action(
		act(async (_, { workspaces }, session) => {
			const matches: Workspace[] = [];
			let readCount = 0;
			for await (const page of workspaces()) {
				if (session.stopped()) break;
				matches.push(...page.workspaces);
				readCount += page.read;
				session.progress(() => ({ text: `records read: ${readCount}, workspaces found: ${matches.length}` }));
			}
			matches.sort((a, b) => (a.id < b.id ? -1 : 1));
			return matches.map(({ id, name, region, calls_enabled, team, origins, created_at }) => {
				return { id, name, region, calls_enabled, team: team.length, origins, created_at };
			});
		}),
	);

const show = (act: CommandAction) =>
	new Command('show')
		.description('Show every setting of a workspace.')
		.requiredOption(...WORKSPACE)
		.action(act(async ({ workspace }, deps) => publicFields(await workspaceOf(workspace, deps))));

/**
 * Checks the URL of a chat and encrypts the URL. The check is the one that the service makes again before every message. `none`
 * removes the chat.
 */
async function chatOf(id: string, url: string | undefined, { vault, sender }: OpsDeps) {
	if (url === undefined) return {};
	if (url === 'none') return { team_webhook: null };
	const target = await sender.check(url);
	if (!target.allowed) throw new OperatorError(`--team-webhook takes an https URL, or none. ${target.reason}`);
	const sealed = await vault.sealSecret(target.url, teamWebhookOwner(id));
	return { team_webhook: { origin: new URL(target.url).origin, sealed } };
}

/**
 * If new rules would keep members' phones from ringing, names these members and refuses the change, unless the operator has
 * accepted that.
 */
async function refuseSilence(
	before: Workspace,
	change: WorkspaceSettings,
	isAccepted: boolean,
	deps: OpsDeps,
	{ note }: Session,
): Promise<void> {
	const { silenced, unknown } = await newlySilenced(before, rulesIn(change), deps);
	if (silenced.length > 0 && !isAccepted) {
		throw new OperatorError(
			`the team's phones have to stay callable: ${namesOf(silenced)} would not be rung any more. ` +
				'Allow their numbers, give the team other ones, or add --silence-members',
		);
	}
	if (silenced.length > 0) note(`Not rung any more: ${namesOf(silenced)}.`);
	if (unknown.length > 0) {
		note(
			'It is unknown whether these may still be rung, because their numbers were stored before such rules applied: ' +
				`${namesOf(unknown)}. Name the team with --team to find out.`,
		);
	}
}

const rulesIn = ({ region, allowed_regions, allowed_prefixes, refused_prefixes }: WorkspaceSettings) =>
	definedFields({ region, allowed_regions, allowed_prefixes, refused_prefixes });

const namesOf = (members: readonly TeamMember[]): string =>
	members.map(({ id, name, phone_masked }) => `${name ?? id} (${phone_masked})`).join(', ');

function setCommand(act: CommandAction): CommandUnknownOpts {
	const command = new Command('set')
		.description('Change settings of a workspace. What you do not name stays.')
		.requiredOption(...WORKSPACE)
		.option('--team-webhook <url>', 'where messages for the team are posted, such as a channel of Slack, or none')
		.option('--silence-members', 'change the regions or prefixes even if members of the team are then not rung');
	addSettings(command);
	return command.action(
		act(async ({ workspace: id, teamWebhook, silenceMembers = false, ...values }, deps, session) => {
			const before = await workspaceOf(id, deps);
			const change = { ...settings(values, before, deps), ...(await chatOf(id, teamWebhook, deps)) };
			if (change.team === undefined) await refuseSilence(before, change, silenceMembers, deps, session);
			const outcome = await changeWorkspace(id, change, deps);
			if ('refused' in outcome) throw new OperatorError(BAD_TEAM[outcome.refused]);
			warn(outcome.workspace, deps, session);
			await warnOfOwnCaller(outcome.workspace, deps, session);
			return publicFields(outcome.workspace);
		}),
	);
}

const aboutMember = (name: string, description: string) =>
	new Command(name)
		.description(description)
		.requiredOption(...WORKSPACE)
		.requiredOption('--member <member>', 'the name, or the id that workspace show prints');

const NOT_SWITCHED = {
	...deskTextsIn('en').refusals,
	not_found: NO_WORKSPACE,
	changed_meanwhile: 'another operator changed the team: try again',
	member_unknown: '--member names no member, or several: give the id that workspace show prints',
	date_passed: '--back: expected a date after today; use member-on to ring the member now',
};

async function switchMemberOf(id: string, memberName: string, newSettings: MemberSwitch, deps: OpsDeps) {
	const outcome = await switchMember(
		id,
		(member) => memberName === member.name || memberName === member.id,
		newSettings,
		deps,
	);
	if ('refused' in outcome) throw new OperatorError(NOT_SWITCHED[outcome.refused]);
	return publicFields(outcome.workspace);
}

const memberOff = (act: CommandAction) =>
	aboutMember(
		'member-off',
		'Do not ring a member of the team until a date. With no member on, the workspace is closed.',
	)
		.option('--back <date>', 'the date on which the member is rung again (default: tomorrow)', localDate)
		.action(
			act(({ workspace: id, member: memberName, back = null }, deps) =>
				switchMemberOf(id, memberName, { on: false, back }, deps),
			),
		);

const memberOn = (act: CommandAction) =>
	aboutMember('member-on', 'Ring a member of the team again.').action(
		act(({ workspace: id, member: memberName }, deps) => switchMemberOf(id, memberName, { on: true }, deps)),
	);

export const workspaceCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	group(act, 'workspace', 'Workspaces: the customers', [create, list, show, figures, setCommand, memberOff, memberOn]),
];
