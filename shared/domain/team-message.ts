import type { CallbackLead } from './callback-lead.ts';

/** What the team is told. */
export type MessageText = { readonly subject: string; readonly text: string };

/** A visitor's words on one line: no line breaks, no controls, no marks that turn the direction of what follows. */
function oneLine(text: string): string {
	return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** `21 November 2026, 10:00 (Europe/Copenhagen)`; UTC where the team has told no time zone. */
export function readableTime(at: string, time_zone: string | null): string {
	const zone = time_zone ?? 'UTC';
	const format = new Intl.DateTimeFormat('en-GB', {
		...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
		timeZone: zone,
	});
	return `${format.format(new Date(at)).replace(' at ', ', ')} (${zone})`;
}

/** Who asked: the name, if one was given. */
export function whoAsked(lead: Pick<CallbackLead, 'name'>): string {
	return oneLine(lead.name ?? '') || 'A visitor';
}

/** The message about a lead. It holds the mask of the number, and nothing else of it. */
export function leadMessage(lead: CallbackLead, time_zone: string | null): MessageText {
	const who = whoAsked(lead);
	const lines = [
		`${who} asked to be called back.`,
		'',
		`Number: ${lead.visitor_phone_masked}`,
		`Page:   ${lead.source_url}`,
		`When:   ${readableTime(lead.created_at, time_zone)}`,
	];
	return { subject: `Call back: ${who}, ${lead.visitor_phone_masked}`, text: `${lines.join('\n')}\n` };
}
