// The prompt that a team member hears before pressing 1, and its duration: the member's time to decide starts after it.

/**
 * Seconds that a slow synthetic voice needs for a Latin letter or a space, and for a digit or a sign that it reads by name.
 */
const LETTER_SECONDS = 0.1;
const NAMED_SECONDS = 0.4;
/** The prompt cuts names and pages that take longer than this. */
const PART_SECONDS = 5;

const LETTER = /[\p{Script=Latin}\s,]/u;
const secondsOf = (character: string): number => (LETTER.test(character) ? LETTER_SECONDS : NAMED_SECONDS);

/** The maximum duration of the spoken text, in whole seconds. */
export function spokenSeconds(text: string): number {
	return Math.ceil([...text].reduce((sum, character) => sum + secondsOf(character), 0));
}

/** The words that fit into `PART_SECONDS`. */
function sayable(text: string): string {
	let left = PART_SECONDS;
	let said = '';
	for (const character of text.replace(/\s+/g, ' ').trim()) {
		left -= secondsOf(character);
		if (left < 0) break;
		said += character;
	}
	return said.trimEnd();
}

/** The visitor's name and page. */
export function spokenPrompt(call: { readonly visitor_name: string | null; readonly source_url: string }): string {
	const who = call.visitor_name === null ? 'a visitor' : sayable(call.visitor_name);
	return `Press 1 to talk to ${who}, who asks for a call on ${sayable(pageOf(call.source_url))}.`;
}

/** Only host and path: the rest of a URL makes no sense when spoken. */
function pageOf(source_url: string): string {
	const [, page] = /^https?:\/\/([^?#]+)/.exec(source_url) ?? [];
	return page?.replace(/\/$/, '') ?? 'the website';
}
