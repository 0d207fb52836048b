import * as z from 'zod/mini';
import { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import { leadStatuses } from '../../domain/leads/callback-lead.ts';
import { deskRoles } from '../../domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../domain/workspaces/email-address.ts';
import type { Language } from '../../domain/workspaces/language.ts';
import type { DeskAction } from '../../use-cases/desk/act-at-desk.ts';
import type { Fields } from '../request.ts';
import { hoursIn } from './hours-form.ts';

/** `invalid`: the name of the setting that cannot be as it was entered. */
type ReadAction = { readonly action: DeskAction } | { readonly invalid: string };

const address = z.string().check(z.refine((text) => isEmailAddress(text.trim())));
const seen = z.string();
const id = z.string().check(z.regex(ID_PATTERN));
const place = z.coerce.number().check(z.int(), z.gte(0));
const back = z.optional(z.iso.date());

const settingsForms = ['hours', 'ringing', 'site', 'consent', 'notices'] as const;

/** The forms of the desk by their field `act`. */
const Form = z.discriminatedUnion('act', [
	z.object({ act: z.literal('pause'), for: z.enum(['hour', 'day']) }),
	z.object({ act: z.literal('resume') }),
	z.object({ act: z.literal('lead'), id, status: z.enum(leadStatuses) }),
	z.object({ act: z.literal('call_back'), id }),
	z.object({ act: z.literal('do_not_call'), of: z.enum(['call', 'callback_lead']), id }),
	z.object({ act: z.enum(settingsForms), seen }),
	z.object({ act: z.literal('add_member'), seen, name: z.string(), phone: z.string() }),
	z.object({ act: z.enum(['remove_member', 'move_up', 'member_on']), seen, place }),
	z.object({ act: z.literal('member_off'), seen, place, back }),
	z.object({ act: z.literal('invite'), address, role: z.enum(deskRoles) }),
	z.object({ act: z.literal('remove_person'), address }),
	z.object({ act: z.literal('end_sessions'), address: z.optional(address) }),
]);
type Form = z.infer<typeof Form>;

/** What a form asks for. `language`: the workspace's, in which consent texts are entered. */
export function readAction(fields: Fields, language: Language): ReadAction {
	const parsed = Form.safeParse(fields);
	if (!parsed.success) return { invalid: String(parsed.error.issues[0]?.path[0] ?? 'act') };
	const form = parsed.data;
	if (form.act === 'add_member') return readMember(form);
	if (!isSettings(form)) return { action: actionOf(form) };
	return readSettings(form.act, form.seen, settingsIn(form.act, fields, language));
}

type SettingsForm = (typeof settingsForms)[number];
type OtherForm = Exclude<Form, { readonly act: SettingsForm | 'add_member' }>;
const isSettings = (form: Form): form is Extract<Form, { readonly act: SettingsForm }> =>
	settingsForms.some((act) => act === form.act);

function actionOf(form: OtherForm): DeskAction {
	switch (form.act) {
		case 'pause':
		case 'resume':
		case 'lead':
		case 'call_back':
		case 'do_not_call':
			return form;
		case 'remove_member':
			return { act: 'team', seen: form.seen, team: { change: 'remove', place: form.place } };
		case 'move_up':
			return { act: 'team', seen: form.seen, team: { change: 'move_up', place: form.place } };
		case 'member_on':
			return { act: 'member', seen: form.seen, place: form.place, switch: { on: true } };
		case 'member_off':
			return { act: 'member', seen: form.seen, place: form.place, switch: { on: false, back: form.back ?? null } };
		case 'invite':
			return { act: 'people', people: { change: 'invite', address: form.address.trim(), role: form.role } };
		case 'remove_person':
			return { act: 'people', people: { change: 'remove', address: form.address } };
		case 'end_sessions':
			return { act: 'people', people: { change: 'end_sessions', address: form.address ?? null } };
	}
}

const linesOf = (text = ''): readonly string[] =>
	text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');

/** The settings as they were entered, for the schema that operators' commands have, too. */
function settingsIn(section: SettingsForm, fields: Fields, language: Language): object {
	switch (section) {
		case 'hours':
			return { business_hours: fields['when'] === 'always' ? null : hoursIn(fields, linesOf(fields['holidays'])) };
		case 'ringing':
			return { ring_strategy: fields['ring_strategy'], ring_order: fields['ring_order'] };
		case 'site':
			return { name: fields['name'], origins: linesOf(fields['origins']), language: fields['language'] };
		case 'consent': {
			const own = (text = ''): string | null => text.trim() || null;
			return {
				consent_texts: { [language]: { call: own(fields['call']), lead: own(fields['lead']) } },
				privacy_links: { [language]: own(fields['privacy_link']) },
			};
		}
		case 'notices':
			return {
				team_email: (fields['team_email'] ?? '').trim() || null,
				tells_missed_calls: fields['tells_missed_calls'] === 'yes',
			};
	}
}

function readSettings(section: SettingsForm, seen_before: string, settings: object): ReadAction {
	const parsed = WorkspaceSettings.safeParse(settings);
	if (parsed.success) return { action: { act: 'settings', section, seen: seen_before, settings: parsed.data } };
	const [first, second] = parsed.error.issues[0]?.path ?? [];
	return { invalid: String(first === 'business_hours' && second !== undefined ? second : first) };
}

function readMember(form: { readonly seen: string; readonly name: string; readonly phone: string }): ReadAction {
	const name = form.name.trim();
	const member = name === '' ? form.phone : `${name}:${form.phone.replaceAll(':', ' ')}`;
	if (!WorkspaceSettings.safeParse({ team: [member] }).success) return { invalid: 'name' };
	return { action: { act: 'team', seen: form.seen, team: { change: 'add', member } } };
}
