import { expect, it } from '@jest/globals';
import { callOwner, leadOwner, numberSubject } from '../../../shared/domain/kernel/phone-number.ts';

it('the owner of a visitor’s number says to which call or lead the number belongs', () => {
	expect(numberSubject(callOwner('c'))).toEqual({ kind: 'call', id: 'c' });
	expect(numberSubject(leadOwner('l'))).toEqual({ kind: 'lead', id: 'l' });
});
