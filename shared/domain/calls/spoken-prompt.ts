// What a team member hears before pressing 1, and how long it takes to say: the member's time to decide begins after it.

/** Seconds that a synthetic voice needs, on the slow side: a Latin letter or a space, and a digit or sign read by its name. */
const LETTER_SECONDS = 0.1;
const NAMED_SECONDS = 0.4;
/** Longer than this no name and no page is worth listening to. */
const PART_SECONDS = 5;

const LETTER = /[\p{Script=Latin}\s,]/u;
const secondsOf = (character: string): number => (LETTER.test(character) ? LETTER_SECONDS : NAMED_SECONDS);

/** Whole seconds that the text takes to say, at the most. */
export function spokenSeconds(text: string): number {
	return Math.ceil([...text].reduce((sum, character) => sum + secondsOf(character), 0));
}

/** The words, as far as they can be said in `PART_SECONDS`. */
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

/** Who asks, and on which page. */
export function spokenPrompt(call: { readonly visitor_name: string | null; readonly source_url: string }): string {
	const who = call.visitor_name === null ? 'a visitor' : sayable(call.visitor_name);
	return `Press 1 to talk to ${who}, who asks for a call on ${sayable(pageOf(call.source_url))}.`;
}

/** Host and path: the rest of a URL cannot be listened to. */
function pageOf(source_url: string): string {
	const [, page] = /^https?:\/\/([^?#]+)/.exec(source_url) ?? [];
	return page?.replace(/\/$/, '') ?? 'the website';
}
