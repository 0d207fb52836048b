import { expect, it } from '@jest/globals';
import { consentText, PLAIN_CONSENT } from '../../../shared/domain/workspaces/consent-text.ts';
import { isEmailAddress } from '../../../shared/domain/workspaces/email-address.ts';
import { readMember } from '../../../shared/domain/workspaces/workspace.ts';

it('a mail address has at most 64 characters before the @ and 254 in all', () => {
	const domain = (length: number) => `${`${'d'.repeat(49)}.`.repeat(5)}${'e'.repeat(length - 250)}`;
	const address = (local: number, length: number) => `${'a'.repeat(local)}@${domain(length)}`;
	expect(isEmailAddress(`${'a'.repeat(64)}@shop.example`)).toBe(true);
	expect(isEmailAddress(`${'a'.repeat(65)}@shop.example`)).toBe(false);
	expect([address(1, 252).length, isEmailAddress(address(1, 252))]).toEqual([254, true]);
	expect([address(1, 253).length, isEmailAddress(address(1, 253))]).toEqual([255, false]);
});

it('the number of a team member is stored without the spaces around it', () => {
	expect(readMember(' Ida Wells :  +1 312 555 0101 ')).toEqual({ name: 'Ida Wells', number: '+1 312 555 0101' });
	expect(readMember(' +1 312 555 0101 ')).toEqual({ name: null, number: '+1 312 555 0101' });
});

it('a consent text has the same id in every release, because pages and records name it', () => {
	const id = (consent_text: string) => consentText({ consent_text, consent_texts: {} }, 'en', 'call').id;
	expect(id('Call me.')).toBe('en-call-1be93d70ad2d6307');
	expect(id('Call me!')).not.toBe(id('Call me.'));
	expect(id(PLAIN_CONSENT)).toMatch(/^en-call-[0-9a-f]{16}$/);
});
