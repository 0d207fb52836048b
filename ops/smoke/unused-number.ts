import { randomInt } from 'node:crypto';
import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';

/**
 * A number that is reserved for fiction, in a random area, with these last two digits. Since the limits of a number count
 * the calls of all workspaces, the smoke test uses no number that the demo's visitors call. It is never a number that is
 * free or costs extra (`+1 800`, `+1 900`), because calls to these are refused.
 */
export function unusedNumber(ending: string): string {
	for (;;) {
		const e164 = `+1${randomInt(203, 990)}55501${ending}`;
		const parse = phoneNumbers.parse(e164);
		if ('region' in parse && parse.region === 'US' && parse.type === 'fixed') return e164;
	}
}
