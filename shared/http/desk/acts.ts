import * as z from 'zod/mini';
import { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { type DeskChangeName, newDeskChange } from '../../domain/desk/desk-change.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import { visibleLine } from '../../domain/kernel/visible-line.ts';
import { endOfToday } from '../../domain/workspaces/business-hours.ts';
import { deskRoles } from '../../domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../domain/workspaces/email-address.ts';
import { MOST_NAME_CHARACTERS } from '../../domain/workspaces/team-member.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import type { DeskTexts } from '../../presentation/desk-texts.ts';
import { callBack } from '../../use-cases/desk/call-back.ts';
import { doNotCall } from '../../use-cases/desk/do-not-call.ts';
import type { AtDesk } from '../../use-cases/desk/enter-desk.ts';
import { changePeople } from '../../use-cases/desk/people.ts';
import { updateLead } from '../../use-cases/leads/update-lead.ts';
import { changeTeam } from '../../use-cases/workspaces/change-team.ts';
import { changeWorkspace, type EditContext } from '../../use-cases/workspaces/change-workspace.ts';
import { switchMember } from '../../use-cases/workspaces/switch-member.ts';
import type { Fields } from '../request.ts';
import { type SectionName, sections, seenOf } from './sections.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'sealer' | 'numbers'>;
type ActRefusal = { readonly refused: keyof DeskTexts['refusals'] };
export type Outcome =
	/** The workspace as it is now; null: something else has changed. */
	| { readonly workspace: Workspace | null }
	/** The token of a one-time link, whose page rings a member's phone. */
	| { readonly token: string }
	| ActRefusal
	/** The name of the field or setting that cannot be as it was entered. */
	| { readonly invalid: string };
type Act = {
	readonly section: SectionName | 'team' | null;
	readonly run: (at: AtDesk, fields: Fields, deps: Deps) => Promise<Outcome>;
};

/** Forms name what they ask for by the word that the audit list has for it. */
type ActName = Exclude<DeskChangeName, 'signed_in'>;

type Row<S extends z.ZodMiniType> = {
	/** Members of the desk may do it, too. */
	readonly members?: true;
	/** Changes only what the form has shown. */
	readonly section?: SectionName | 'team';
	readonly fields: S;
	/** The subject of the line in the audit list, if the change alone does not tell. */
	readonly about?: (form: z.infer<S>, at: AtDesk) => string | null;
	/** Calls the use case that operators or the API have, too. */
	readonly run: (form: z.infer<S>, at: AtDesk, deps: Deps & Required<EditContext>, fields: Fields) => Promise<Outcome>;
};

/** Reads the form, checks the role, and runs the row with a line of the audit list for the same transaction. */
function act<S extends z.ZodMiniType>(change: ActName, row: Row<S>): Act {
	const { section = null } = row;
	const run: Act['run'] = async (at, fields, deps) => {
		if (at.person.role !== 'owner' && !row.members) return { refused: 'owners_only' };
		const form = row.fields.safeParse(fields);
		if (!form.success) return { invalid: String(form.error.issues[0]?.path[0] ?? 'act') };
		const line = lineOf(at, change, row.about?.(form.data, at) ?? null, deps);
		const hasSeen = (current: Workspace): boolean => section === null || seenOf(section, current) === fields['seen'];
		return row.run(form.data, at, { ...deps, line, hasSeen }, fields);
	};
	return { section, run };
}

/** The line of the audit list for a change by this person. */
function lineOf({ workspace, person }: AtDesk, change: ActName, about: string | null, { clock, ids }: Deps): Write {
	const now_ms = clock.now();
	const input = { id: ids.next(now_ms), workspace_id: workspace.id, address: person.address, change, about };
	return { op: 'put', record: 'desk_change', item: newDeskChange(input, now_ms), guard: { if: 'absent' } };
}

const nothing = z.object({});
const id = z.object({ id: z.string().check(z.regex(ID_PATTERN)) });
const address = z.string().check(z.trim(), z.refine(isEmailAddress));
const place = z.coerce.number().check(z.int(), z.gte(0));
const DONE = { workspace: null } as const;

/** The form of a section, as it was entered. */
const settings = (section: SectionName): Act =>
	act(section, {
		section,
		fields: nothing,
		run: async (_, { workspace }, deps, fields) => {
			const settings = WorkspaceSettings.safeParse(sections[section].entered(fields, workspace));
			if (settings.success) return changeWorkspace(workspace.id, settings.data, deps);
			const [first, second] = settings.error.issues[0]?.path ?? [];
			return { invalid: String(first === 'business_hours' ? (second ?? first) : first) };
		},
	});

const leadBecomes = (status: 'handled' | 'dismissed'): Act =>
	act(`lead_${status}`, {
		members: true,
		fields: id,
		about: (form) => form.id,
		run: async (form, { workspace }, { store, clock, line }) => {
			const input = { workspace_id: workspace.id, id: form.id, status };
			const { outcome } = await updateLead(input, { store, clock, line });
			return outcome === 'updated' ? DONE : { refused: 'not_found' };
		},
	});

const memberBecomes = (change: 'member_on' | 'member_off'): Act =>
	act(change, {
		section: 'team',
		fields: z.object({ place, back: z.optional(z.iso.date()) }),
		about: memberNamed,
		run: ({ place: at, back = null }, { workspace }, deps) => {
			const memberSwitch = change === 'member_on' ? ({ on: true } as const) : { on: false, back };
			return switchMember(workspace.id, (_, nth) => nth === at, memberSwitch, deps);
		},
	});

const memberGoes = (change: 'member_removed' | 'member_moved', how: 'remove' | 'move_up'): Act =>
	act(change, {
		section: 'team',
		fields: z.object({ place }),
		about: memberNamed,
		run: (form, { workspace }, deps) => changeTeam(workspace.id, { change: how, place: form.place }, deps),
	});

/** The name of a member, or the mask; never more of a number. */
function memberNamed({ place: nth }: { readonly place: number }, { workspace: { team } }: AtDesk): string | null {
	return team[nth]?.name ?? team[nth]?.phone_masked ?? null;
}

const acts: Readonly<Record<ActName, Act>> = {
	paused: act('paused', {
		members: true,
		fields: z.object({ for: z.enum(['hour', 'day']) }),
		run: (form, { workspace }, deps) => {
			const now_ms = deps.clock.now();
			const until_ms = form.for === 'hour' ? now_ms + 3_600_000 : endOfToday(workspace.business_hours, now_ms);
			return changeWorkspace(workspace.id, { paused_until: new Date(until_ms).toISOString() }, deps);
		},
	}),
	resumed: act('resumed', {
		members: true,
		fields: nothing,
		run: (_, { workspace }, deps) => changeWorkspace(workspace.id, { paused_until: null }, deps),
	}),
	lead_handled: leadBecomes('handled'),
	lead_dismissed: leadBecomes('dismissed'),
	lead_called: act('lead_called', {
		members: true,
		fields: id,
		about: (form) => form.id,
		run: (form, { workspace }, deps) => callBack(workspace.id, form.id, deps),
	}),
	number_suppressed: act('number_suppressed', {
		members: true,
		fields: z.extend(id, { of: z.enum(['call', 'callback_lead']) }),
		about: (form) => form.id,
		run: async (form, { workspace }, deps) => {
			const outcome = await doNotCall(workspace.id, form, deps);
			return 'refused' in outcome ? outcome : DONE;
		},
	}),
	hours: settings('hours'),
	ringing: settings('ringing'),
	site: settings('site'),
	consent: settings('consent'),
	notices: settings('notices'),
	member_added: act('member_added', {
		section: 'team',
		fields: z.object({ name: z.string().check(z.trim(), z.maxLength(MOST_NAME_CHARACTERS)), phone: z.string() }),
		about: ({ name }) => visibleLine(name) || null,
		run: ({ name, phone }, { workspace }, deps) =>
			changeTeam(workspace.id, { change: 'add', member: `${name}:${phone.replaceAll(':', ' ')}` }, deps),
	}),
	member_removed: memberGoes('member_removed', 'remove'),
	member_moved: memberGoes('member_moved', 'move_up'),
	member_off: memberBecomes('member_off'),
	member_on: memberBecomes('member_on'),
	person_invited: act('person_invited', {
		fields: z.object({ address, role: z.enum(deskRoles) }),
		about: (form) => form.address,
		run: (form, { workspace }, deps) => changePeople(workspace.id, { change: 'invite', ...form }, deps),
	}),
	person_removed: act('person_removed', {
		fields: z.object({ address }),
		about: (form) => form.address,
		run: (form, { workspace }, deps) => changePeople(workspace.id, { change: 'remove', ...form }, deps),
	}),
	sessions_ended: act('sessions_ended', {
		fields: z.object({ address: z.optional(address) }),
		about: (form) => form.address ?? null,
		run: (form, { workspace }, deps) =>
			changePeople(workspace.id, { change: 'end_sessions', address: form.address ?? null }, deps),
	}),
};

const isAct = (name: string): name is ActName => Object.hasOwn(acts, name);
const actOf = ({ act: name = '' }: Fields): Act | null => (isAct(name) ? acts[name] : null);

/** Does what a form asks for. */
export async function actAtDesk(at: AtDesk, fields: Fields, deps: Deps): Promise<Outcome> {
	return actOf(fields)?.run(at, fields, deps) ?? { invalid: 'act' };
}

/** The section that a form is about, and the words of the audit list for its changes. */
export function sectionOf(fields: Fields) {
	const section = actOf(fields)?.section ?? null;
	const changes: readonly string[] = Object.keys(acts).filter((name) => isAct(name) && acts[name].section === section);
	return { section, changes };
}
