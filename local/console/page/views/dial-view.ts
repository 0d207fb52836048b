import { element, elementById, say } from '../element.ts';
import type { StackFacts } from '../wire.ts';

/**
 * The most useful simulated numbers, each with a word and a sentence about what its phone does. docs/local-stack.md
 * explains all simulated numbers.
 */
export const NUMBERS = [
	['+1 202 555 0101', 'Answers', 'talks for six seconds, then hangs up'],
	['+1 202 555 0102', 'Busy', 'is on another line'],
	['+1 202 555 0103', 'No answer', 'rings without an answer'],
	['+1 202 555 0104', 'Rejects', 'presses the red button'],
	['+1 202 555 0118', 'Declines as busy', 'presses the red button, and the network says busy'],
	['+1 202 555 0105', 'Voicemail', 'a machine answers'],
	['+1 202 555 0106', 'Not in service', 'this number does not exist'],
	['+1 202 555 0110', 'Stays on the line', 'talks until you hang up'],
	['+1 202 555 0117', 'Hangs up at once', 'answers, then hangs up'],
	['+1 202 555 0108', 'Doubled reports', 'the provider reports everything twice and backwards'],
	['+1 202 555 0109', 'No reports', 'rings, and the provider never reports'],
	['+1 202 555 0107', 'Provider error', 'the provider answers 500, and rings all the same'],
	['+1 202 555 0114', 'Provider is full', 'the provider asks to be called later (429)'],
] as const;

/** Requests a call in the same way as a visitor of the demo shop. Returns why the call was refused, or an empty text. */
async function call(number: string, { base_url, workspace_key }: StackFacts): Promise<string> {
	const page_url = location.href.replace(/#.*/, '');
	const response = await fetch(`${base_url}/widget/call-requests`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
		body: JSON.stringify({ workspace_key, phone: number.replaceAll(' ', ''), consent: true, page_url }),
	});
	const { code, title }: { code?: string; title?: string } = await response.json();
	if (response.ok) return '';
	// Of the limits, only one can be reached here: a number can have only one live call. The demo workspace's other limits are
	// too high.
	if (code === 'rate_limited')
		return `A call with ${number} is already live; you can call it again once that has ended.`;
	return title ?? `The API answered ${response.status}.`;
}

/**
 * Shows a button for each number. A double click requests only one call. `facts` returns null before the stack has started.
 */
export function showDial(facts: () => StackFacts | null): void {
	const refusal = elementById('refusal');
	let busy = false;
	const dial = async (number: string): Promise<void> => {
		const stack = facts();
		if (stack === null || busy) return;
		busy = true;
		say(refusal, await call(number, stack).catch(() => 'The stack does not answer.'));
		busy = false;
	};
	elementById('numbers').replaceChildren(
		...NUMBERS.map(([number, word, sentence]) => {
			const button = element(
				'button',
				{ type: 'button', title: sentence },
				element('strong', {}, word),
				' ',
				element('span', { class: 'number' }, number),
			);
			button.addEventListener('click', () => void dial(number));
			return element('li', {}, button);
		}),
	);
}
