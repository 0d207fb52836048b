import type { Instruction } from '../../domain/calls/instruction.ts';
import type { Sentence } from '../../domain/calls/spoken.ts';
import type { Language } from '../../domain/workspaces/language.ts';
import type { ProviderMarkup } from '../../ports/telephony.ts';
import { escapeMarkup } from '../../presentation/markup.ts';

/**
 * Writes an instruction in the markup that Twilio (TwiML) and Telnyx (TeXML) share. `conference` is the name of the
 * conference: the call's id, which identifies no person. `instructionsUrl` is where the provider asks for its next
 * instruction after a key was pressed.
 */
export function renderMarkup(instruction: Instruction, conference: string, instructionsUrl: string): ProviderMarkup {
	const verbs = verbsOf(instruction, conference, instructionsUrl);
	const body = `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;
	return { content_type: 'text/xml; charset=utf-8', body };
}

function verbsOf(instruction: Instruction, conference: string, instructionsUrl: string): string {
	switch (instruction.instruct) {
		case 'screen': {
			const { times, wait_seconds } = instruction.before ?? { times: 0, wait_seconds: 0 };
			const prompts = [...Array.from({ length: times }, () => wait_seconds), instruction.prompt_seconds].map(
				(seconds) => {
					// The timeout begins at the end of the prompt. Pressing a key during the prompt ends the prompt at
					// once. If no key is pressed, the next verb follows.
					const timeout = Math.max(1, Math.round(seconds));
					const gather = `action="${asXml(instructionsUrl)}" method="POST" numDigits="1" timeout="${timeout}"`;
					return `<Gather ${gather}>${say(instruction.say)}</Gather>`;
				},
			);
			return `${prompts.join('')}<Hangup/>`;
		}
		case 'wait':
			return `${say(instruction.say)}${enter(conference)}`;
		case 'join':
			return enter(conference);
		case 'hang_up':
			return '<Hangup/>';
	}
}

/**
 * Standard voices of Amazon Polly, with their languages. Both providers have these voices (Twilio: "Text-to-Speech";
 * Telnyx: "Say", which ignores `language` if there is a Polly voice).
 */
const VOICES: Readonly<Record<Language, { readonly voice: string; readonly tag: string }>> = {
	en: { voice: 'Polly.Joanna', tag: 'en-US' },
	de: { voice: 'Polly.Vicki', tag: 'de-DE' },
	es: { voice: 'Polly.Lucia', tag: 'es-ES' },
	fr: { voice: 'Polly.Lea', tag: 'fr-FR' },
	ar: { voice: 'Polly.Zeina', tag: 'arb' },
	it: { voice: 'Polly.Bianca', tag: 'it-IT' },
	nl: { voice: 'Polly.Lotte', tag: 'nl-NL' },
	pt: { voice: 'Polly.Vitoria', tag: 'pt-BR' },
	pl: { voice: 'Polly.Ewa', tag: 'pl-PL' },
	tr: { voice: 'Polly.Filiz', tag: 'tr-TR' },
};

function say({ language, text }: Sentence): string {
	const { voice, tag } = VOICES[language];
	return `<Say voice="${voice}" language="${tag}">${asXml(text)}</Say>`;
}

/**
 * Puts a leg into the call's own conference. The conference begins when the second leg joins; until then, the first leg
 * hears music. The conference ends for both legs when one of them leaves. See
 * docs/decisions/0004-both-legs-join-a-conference.md.
 */
function enter(conference: string): string {
	const rules = 'beep="false" endConferenceOnExit="true" maxParticipants="2"';
	return `<Dial><Conference ${rules}>${asXml(conference)}</Conference></Dial><Hangup/>`;
}

/** Characters that XML 1.0 does not allow in any form ("Char" in section 2.2). */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function asXml(text: string): string {
	return escapeMarkup(text.replace(NOT_XML, ''));
}
