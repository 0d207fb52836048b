import { randomInt } from 'node:crypto';
import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';

/**
 * A number that is reserved for fiction, in a random area, with these last two digits. The limits on calls to
 * one number count the calls of all workspaces, so the smoke test must not use a number that a visitor of the demo might enter.
 * This function never returns a number that is free or costs extra (`+1 800`, `+1 900`), because calls to such numbers are
 * refused.
 */
export function unusedNumber(ending: string): string {
	for (;;) {
		const e164 = `+1${randomInt(203, 990)}55501${ending}`;
		const parse = phoneNumbers.parse(e164);
		if ('region' in parse && parse.region === 'US' && parse.type === 'fixed') return e164;
	}
}
