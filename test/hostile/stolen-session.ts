import fc from 'fast-check';
import { folderOf } from '../../shared/contract/desk/desk-pages.ts';
import { formOf } from './forms.ts';
import type { HostileRequest } from './requests.ts';

// Forms sent with a stolen session. The service has to refuse all of them: each has one invalid field, or asks for something
// that the sender's role may not do. They go to a shop that nothing else changes, so that the forms stay current.

/**
 * Texts that the shop must not accept as a member's number: expensive numbers, numbers of other regions, and texts that are
 * not one number.
 */
const notRung = fc.constantFrom(
	'+1 900 555 0199',
	'+1 (900) 234-5678',
	'+881 612 345 678',
	'+882 16 1234567',
	'+44 909 879 0123',
	'+44 870 123 4567',
	'+1 876 555 0123',
	'+1-312-976-1234',
	'+1 605 475 0100',
	'+1 664 410 1234',
	'+49 900 1 234567',
	'+7 809 123 45 67',
	'+979 123 456 789',
	'+808 1234 5678',
	'+1 500 234 5678',
	'+1 911',
	'+0',
	'',
	'ida',
	'+1 202 555 0199, +1 900 555 0199',
);
const notSeen = fc.constantFrom('\u200b', '\u3164', '\u2800', '\u2060\ufeff', '\u00ad', '\u{e0041}\u{e0042}');
const notALanguage = fc.constantFrom('__proto__', 'constructor', 'toString', 'tlh', 'EN', '', 'en\u0000');
const noPrivacyLink = fc.constantFrom(
	'http://shop.example',
	'javascript:alert(1)',
	'https://a:b@shop.example',
	'data:text/html,x',
	'no address',
);

const consent = {
	action: 'consent',
	seen: '{{stolen_seen_consent}}',
	language: 'en',
	call: 'Yes',
	lead: '',
	privacy_links: '',
};
const team = { seen: '{{stolen_seen_team}}', member_id: 'm1' };
const byOwner: fc.Arbitrary<object> = fc.oneof(
	notRung.map((phone) => ({ ...team, action: 'member_added', member: 'Mallory', phone })),
	notALanguage.map((language) => ({ ...consent, language })),
	fc.tuple(fc.constantFrom('call', 'lead'), notSeen).map(([field, text]) => ({ ...consent, [field]: text })),
	noPrivacyLink.map((privacy_links) => ({ ...consent, privacy_links })),
	fc.constantFrom('europe/atlantis', '+02:00', '').map((time_zone) => {
		return { action: 'hours', seen: '{{stolen_seen_hours}}', when: 'always', time_zone };
	}),
	fc
		.constantFrom('0', '0x0', ' ', 'm0', 'm9', '__proto__')
		.map((member_id) => ({ ...team, action: 'member_removed', member_id })),
);
/** Actions that only owners may do, sent by a member or a developer. */
const byOthers: fc.Arbitrary<object> = fc.constantFrom<object>(
	{ ...team, action: 'member_added', member: 'Mallory', phone: '+13125550177' },
	{ ...team, action: 'member_removed' },
	{ ...team, action: 'member_off' },
	{ ...consent },
	{ action: 'ringing', seen: '{{stolen_seen_ringing}}', ring_strategy: 'simultaneous', ring_order: 'agent_first' },
	{ action: 'site', seen: '{{stolen_seen_site}}', name: 'Mallory', origins: 'https://evil.example', language: 'en' },
	{ action: 'notices', seen: '{{stolen_seen_notices}}', team_email: 'mallory@evil.example' },
	{ action: 'hours', seen: '{{stolen_seen_hours}}', when: 'always', time_zone: 'Europe/Berlin' },
	{ action: 'person_invited', address: 'mallory@evil.example', role: 'owner' },
	{ action: 'person_removed', address: 'stolen-owner@shop.example' },
	{ action: 'sessions_ended' },
);
/** Actions that only developers and owners may do, sent by a member to any page. */
const byMember: fc.Arbitrary<object> = fc.constantFrom<object>(
	{ action: 'key_created', shown: 'x', key_name: 'Mallory', 'calls:read': 'yes' },
	{ action: 'key_revoked', id: '{{endpoint_id}}' },
	{ action: 'endpoint_created', shown: 'x', url: 'https://{{webhook_host}}/', 'call.failed': 'yes' },
	{ action: 'endpoint_deleted', id: '{{endpoint_id}}' },
	{ action: 'secret_rotated', shown: 'x', id: '{{endpoint_id}}', overlap: '0' },
	{ action: 'endpoint_tested', id: '{{test_endpoint_id}}', event: 'call.failed' },
);

const sent = (who: 'owner' | 'member' | 'developer', page: string, form: object): HostileRequest => ({
	method: 'POST',
	target: `/v1/desk/${folderOf(page)}/${page}`,
	headers: [
		['host', 'api.example'],
		['origin', 'https://api.example'],
		['cookie', `__Host-desk={{stolen_${who}_cookie}}`],
		['content-type', 'application/x-www-form-urlencoded'],
	],
	body: formOf({ token: `{{stolen_${who}_token}}`, ...form }),
	signed: false,
	provider: 'simulator',
});

export const stolenForm: fc.Arbitrary<HostileRequest> = fc.oneof(
	byOwner.map((form) => sent('owner', 'today', form)),
	byOthers.map((form) => sent('member', 'today', form)),
	byOthers.map((form) => sent('developer', 'keys', form)),
	byMember.map((form) => sent('member', 'keys', form)),
	byMember.map((form) => sent('member', 'today', form)),
);

export const isStolen = ({ headers }: HostileRequest): boolean =>
	headers.some(([name, value]) => name === 'cookie' && value.includes('{{stolen_'));
