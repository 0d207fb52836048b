import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import { isDate } from '../../domain/kernel/time-range.ts';
import { visibleLine } from '../../domain/kernel/visible-line.ts';
import { type LeadStatus, leadStatuses } from '../../domain/leads/callback-lead.ts';
import { endOfToday } from '../../domain/workspaces/business-hours.ts';
import { deskRoles } from '../../domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../domain/workspaces/email-address.ts';
import { MEMBER_ID_PATTERN, MOST_NAME_CHARACTERS, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { callBack, doNotCall, handleMissed, reopenMissed } from '../../use-cases/desk/contacts.ts';
import { countPress } from '../../use-cases/desk/count-form.ts';
import { changeNotices } from '../../use-cases/desk/notices.ts';
import { changePeople } from '../../use-cases/desk/people.ts';
import { testCall } from '../../use-cases/desk/test-call.ts';
import { type UpdateLeadResult, updateLead } from '../../use-cases/leads/update-lead.ts';
import { changeTeam } from '../../use-cases/workspaces/change-team.ts';
import { changeWorkspace } from '../../use-cases/workspaces/change-workspace.ts';
import { putMemberBack } from '../../use-cases/workspaces/put-member-back.ts';
import { type MemberSwitch, switchMember } from '../../use-cases/workspaces/switch-member.ts';
import type { Fields } from '../edge/request.ts';
import { invitePerson, removePerson } from './person-actions.ts';
import type { ShopAction } from './roles.ts';
import { type Action, type ActionOutcome, type Actor, actionRunner, formAction } from './run-action.ts';
import { isCurrent, type SectionName, sections, sitesRemoved } from './sections.ts';
import { withSwitch } from './switch-action.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'sealer' | 'numbers' | 'macs'> & {
	readonly speed: number;
	readonly can_dial: boolean;
	readonly caller_number: string | null;
};
type Person = Actor<Deps> & { readonly entry: Write };

/** A row of the table: the form's fields, and the use case that operators or the API have, too. */
const action = <S extends z.ZodMiniType<object>>(
	schema: S,
	work: (form: z.infer<S>, at: Person) => Promise<ActionOutcome>,
): Action<Deps> =>
	formAction(schema, async (form, at) => {
		if (!(await countPress(at, at))) return { refused: 'pressed_often' };
		return work(form, { ...at, entry: at.entryAbout(aboutOf(form, at.workspace)) });
	});

/** What a form is about: an id, an address, or the name of a member; never more of a number than its mask. */
function aboutOf(form: object, { team }: Workspace): string | null {
	const { id, address, member, member_id }: Partial<Record<'id' | 'address' | 'member' | 'member_id', unknown>> = form;
	const { name, phone_masked } = team.find((each) => each.id === member_id) ?? {};
	const about = name ?? phone_masked ?? id ?? address ?? member;
	return typeof about === 'string' ? visibleLine(about) || null : null;
}

const byId = z.object({ id: z.string().check(z.regex(ID_PATTERN)) });
const ofContact = z.extend(byId, { of: z._default(z.enum(['call', 'callback_lead']), 'callback_lead') });
const address = z.string().check(z.trim(), z.refine(isEmailAddress));
const byAddress = z.object({ address });
const byMember = z.object({ member_id: z.string().check(z.regex(MEMBER_ID_PATTERN)) });
const newMember = z.object({
	member: z.string().check(z.trim(), z.maxLength(MOST_NAME_CHARACTERS)),
	phone: z.string(),
});

const settings =
	(section: SectionName): Action<Deps> =>
	(fields, at) => {
		const read = z.transform((typed: Fields) => sections[section].entered(typed, at.workspace));
		const save = action(z.pipe(read, WorkspaceSettings), async (form, by) => {
			const question = section === 'site' ? questionOf(fields, by) : null;
			return question ?? changeWorkspace(by.workspace.id, form, by);
		});
		return save(fields, at);
	};

/** Where the team's messages go. */
const notices = (): Action<Deps> => (fields, at) => {
	const read = z.transform((typed: Fields) => sections.notices.entered(typed, at.workspace));
	const save = action(z.pipe(read, NoticeSettings), (form, by) =>
		changeNotices(by.workspace.id, form, by.person.address, by),
	);
	return save(fields, at);
};
const NoticeSettings = z.required(z.pick(WorkspaceSettings, { team_email: true, tells_missed_calls: true }));

/** Asks once before sites are removed. `removes`: what the form has asked about. */
function questionOf(fields: Fields, { workspace }: Person): ActionOutcome | null {
	const missing = sitesRemoved(fields, workspace);
	const words = missing.join(' ');
	if (words === '' || words === fields['removes'] || !isCurrent(fields, workspace)) return null;
	return { refused: missing.length === workspace.origins.length ? 'sites_end' : 'sites_removed', words };
}

async function leadBecomes(
	status: LeadStatus,
	{ id }: z.infer<typeof byId>,
	{ workspace, store, clock, entry }: Person,
	from: readonly LeadStatus[] = leadStatuses,
): Promise<ActionOutcome> {
	const hasSeen = (now: UpdateLeadResult): boolean => 'lead' in now && from.includes(now.lead.status);
	const outcome = await updateLead({ workspace_id: workspace.id, id, status }, { store, clock, entry, hasSeen });
	if ('lead' in outcome) return { done: true };
	return { refused: outcome.outcome === 'not_found' ? 'not_found' : 'changed_meanwhile' };
}

/** After a request was dealt with, the page has a button that puts it back. */
const undoOf = ({ action: saved = '', id = '', of = 'callback_lead' }: Fields): ActionOutcome => ({
	link: `today?${new URLSearchParams({ saved, id, of })}`,
});
/** The consent's form has one language of several. */
const consentOf = ({ language = '' }: Fields): ActionOutcome => ({
	link: `site?saved&${new URLSearchParams({ consent: language })}#consent`,
});
/** An action after which the page is another one than that of its form. */
const leading =
	(work: Action<Deps>, where: (fields: Fields) => ActionOutcome): Action<Deps> =>
	async (fields, at) => {
		const outcome = await work(fields, at);
		return 'done' in outcome || 'workspace' in outcome ? where(fields) : outcome;
	};

const toSignIn = (): ActionOutcome => ({ link: '../sign-in' });
const toTest = (): ActionOutcome => ({ link: 'today?saved=test_called' });
const memberBecomes = (memberSwitch: MemberSwitch, at: Person, { member_id }: z.infer<typeof byMember>) =>
	switchMember(at.workspace.id, ({ id }) => id === member_id, memberSwitch, at);

const actions: Readonly<Record<ShopAction, Action<Deps>>> = {
	paused: action(z.object({ for: z.enum(['hour', 'day']) }), (form, at) => {
		const nowMs = at.clock.now();
		const untilMs = form.for === 'hour' ? nowMs + 3_600_000 : endOfToday(at.workspace.time_zone, nowMs);
		return changeWorkspace(at.workspace.id, { paused_until: new Date(untilMs).toISOString() }, at);
	}),
	resumed: action(z.object({}), (_, at) => changeWorkspace(at.workspace.id, { paused_until: null }, at)),
	lead_handled: leading(
		action(ofContact, (form, at) =>
			form.of === 'call' ? handleMissed(at.workspace.id, form.id, at) : leadBecomes('handled', form, at),
		),
		undoOf,
	),
	lead_dismissed: leading(
		action(byId, (form, at) => leadBecomes('dismissed', form, at)),
		undoOf,
	),
	lead_reopened: action(z.extend(ofContact, { was: z._default(z.enum(leadStatuses), 'handled') }), (form, at) =>
		form.of === 'call'
			? reopenMissed(at.workspace.id, form.id, at)
			: leadBecomes('pending', form, at, [form.was, 'pending']),
	),
	lead_called: action(z.extend(ofContact, { shown: z.optional(z.string()) }), ({ id, of, shown }, at) => {
		const press = createHmac('sha256', at.secret)
			.update(`callback ${id} ${shown ?? at.clock.now()}`)
			.digest();
		return callBack(at.workspace.id, { of, id }, press, at);
	}),
	number_suppressed: action(ofContact, (contact, at) => doNotCall(at.workspace.id, contact, at)),
	hours: settings('hours'),
	ringing: settings('ringing'),
	site: settings('site'),
	look: settings('look'),
	consent: leading(settings('consent'), consentOf),
	notices: notices(),
	member_added: action(newMember, ({ member, phone }, at) => {
		const entered = { name: visibleLine(member) || null, number: phone };
		return changeTeam(at.workspace.id, { change: 'add', member: entered, home: at.workspace.region }, at);
	}),
	member_removed: action(byMember, ({ member_id: id }, at) =>
		changeTeam(at.workspace.id, { change: 'remove', id }, at),
	),
	// Only pages of the release 28086779 that are still open have its form.
	member_put_back: action(
		z.extend(byMember, { before: z.optional(z.string()) }),
		({ member_id: member, before = null }, at) => putMemberBack(at.workspace.id, { member, before }, at),
	),
	member_moved: action(byMember, ({ member_id: id }, at) => changeTeam(at.workspace.id, { change: 'move_up', id }, at)),
	member_off: action(
		z.extend(byMember, { back: z.optional(z.string().check(z.refine(isDate))) }),
		({ back = null, ...form }, at) => memberBecomes({ on: false, back }, at, form),
	),
	member_on: action(byMember, (form, at) => memberBecomes({ on: true }, at, form)),
	test_called: leading(
		action(byMember, ({ member_id }, at) => testCall(at.workspace.id, member_id, at)),
		toTest,
	),
	person_invited: (fields, at) =>
		action(z.extend(byAddress, { role: z.enum(deskRoles) }), (form, by) => invitePerson(form, fields, by))(fields, at),
	person_removed: (fields, at) => action(byAddress, (form, by) => removePerson(form.address, fields, by))(fields, at),
	desk_left: leading(
		action(z.object({}), (_, at) => {
			const { address } = at.person;
			return changePeople(at.workspace.id, { change: 'remove', address, by: address, left: true }, at);
		}),
		toSignIn,
	),
	sessions_ended: action(z.object({ address: z.optional(address) }), ({ address: whose = null }, at) =>
		changePeople(at.workspace.id, { change: 'end_sessions', address: whose }, at),
	),
};

/** A repeated press of `lead_called` finds its link by itself, and leads to it. */
const run = actionRunner(actions, {
	lead_called: null,
	lead_handled: (_, fields) => undoOf(fields),
	lead_dismissed: (_, fields) => undoOf(fields),
	consent: (_, fields) => consentOf(fields),
	test_called: toTest,
	desk_left: toSignIn,
});

/** What the forms of the shop's pages ask for. */
export const runShopAction = withSwitch(run);
