import type { DeskTexts } from '../../presentation/desk-texts.ts';
import { shortDate } from '../../presentation/short-date.ts';
import { fillIn } from '../../presentation/team-texts.ts';
import type { Fields } from '../edge/form-fields.ts';
import type { InvalidField, Refusal } from './define-action.ts';
import { openingsIn } from './hours/hours-section.ts';
import { hoursText, weekdayName } from './kit/times.ts';
import type { View, WrongField } from './kit/view.ts';

const FIELD_OF: Readonly<Partial<Record<keyof DeskTexts['refusals'], string>>> = {
	team_number_invalid: 'phone',
	team_number_not_callable: 'phone',
	team_number_twice: 'phone',
	team_number_calls_itself: 'phone',
	date_passed: 'back',
	invited_enough: 'address',
	webhook_url_not_allowed: 'url',
	sites_removed: 'origins',
	sites_end: 'origins',
};

/** The name of the form's field for a setting. Undefined if the form has no field for it. */
export function nameIn(path: readonly PropertyKey[], { fields }: DeskTexts): string | undefined {
	return path.findLast((part): part is string => typeof part === 'string' && Object.hasOwn(fields, part));
}

/**
 * The fields because of which a form was refused, each with the first reason. Empty if the form was not refused because of its
 * fields.
 */
export function wrongFields(outcome: Refusal, fields: Fields, view: View): readonly WrongField[] {
	if ('refused' in outcome) return refusedField(outcome, view);
	const all = [outcome, ...(outcome.also ?? [])].flatMap((each) => invalidField(each, fields, view) ?? []);
	return all.filter(({ name }, nth) => all.findIndex((each) => each.name === name) === nth);
}

function refusedField(
	{ refused, words = '', why, hint = '' }: Extract<Refusal, { readonly refused: unknown }>,
	{ texts }: View,
): readonly WrongField[] {
	const { [refused]: name } = FIELD_OF;
	const says = why === undefined ? texts.refusals[refused] : `${texts.wrong[why]} ${hint}`.trim();
	return name === undefined ? [] : [{ name, text: fillIn(says, words) }];
}

function invalidField(
	{ invalid: path, typed = '', why: reason }: InvalidField,
	fields: Fields,
	view: View,
): WrongField | null {
	const { texts } = view;
	const { wrong } = texts;
	const name = nameIn(path, texts);
	if (name === undefined) return null;
	const nth = path[path.indexOf(name) + 1];
	if (name === 'weekly') {
		const opening = typeof nth === 'number' ? openingsIn(fields)[nth] : undefined;
		return opening ? wrongOpening(opening, { typed, reason }, fields, view) : { name, text: wrong.no_day };
	}
	const words = new Map(Object.entries(wrong));
	// Some fields have words of their own for a field that was left empty.
	const ifEmpty = reason === undefined && typed.trim() === '' ? words.get(`no_${name}`) : undefined;
	const why = ifEmpty ?? words.get(reason ?? name) ?? wrong.other;
	return { name, text: fillIn(why, typed, shortDate('2026-12-25', view)) };
}

/** `typed`: the length of the opening in minutes, if `reason` says what is odd about it. */
function wrongOpening(
	{ at, weekday }: ReturnType<typeof openingsIn>[number],
	{ typed, reason }: { readonly typed: string; readonly reason: InvalidField['why'] },
	fields: Fields,
	{ texts: { wrong }, language }: View,
): WrongField {
	const label = weekdayName(weekday, language);
	const isEnd = reason === 'weekly_long' || (fields[`from-${at}`] && !fields[`to-${at}`]);
	const name = `${isEnd ? 'to' : 'from'}-${at}`;
	if (reason === undefined) return { name, text: fillIn(wrong.weekly, label), label };
	return { name, text: fillIn(wrong[reason], label, hoursText(Number(typed), language)), label, why: reason };
}
