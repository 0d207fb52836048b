import { expect, it } from '@jest/globals';
import { callOwner, leadOwner, subjectOf } from '../../../shared/domain/kernel/phone-number.ts';

it('the owner of a number names the call or the lead', () => {
	expect(subjectOf(callOwner('c'))).toEqual({ kind: 'call', id: 'c' });
	expect(subjectOf(leadOwner('l'))).toEqual({ kind: 'lead', id: 'l' });
});
