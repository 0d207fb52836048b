import { describe, expect, it } from '@jest/globals';
import { deskLinkAfterUse, isEndedBy, mailboxAfterUse, newDeskLink } from '../../../shared/domain/desk/desk-link.ts';
import {
	isLiveSession,
	leftSession,
	maySwitch,
	newSession,
	renewSession,
} from '../../../shared/domain/desk/session-cookie.ts';
import { afterHandover, undoable } from '../../../shared/domain/workspaces/handover.ts';
import { WORKSPACE } from '../../support/sample-records.ts';

// Tests when links, sessions and the undo of a handover end. links-and-sessions.test.ts tests them with the store and the mails.

const START_MS = Date.parse('2026-11-21T10:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const address = 'ida@shop.example';
const secret = new Uint8Array(32).fill(1);
const begun = (options = {}) => newSession(secret, { workspace_id: WORKSPACE, address }, START_MS, options);
const person = { address, role: 'owner', sessions_from: '2026-01-01T00:00:00.000Z' } as const;

describe('a session that its person has left for another desk', () => {
	const session = begun({ anyDesk: true });
	const left = leftSession(session, START_MS + DAY_MS);

	it('ends within a minute, and no use makes it longer', () => {
		expect(left).toMatchObject({ version: 2, left_at: '2026-11-22T10:00:00.000Z' });
		expect(isLiveSession(left, person, START_MS + DAY_MS + 59_000)).toBe(true);
		expect(isLiveSession(left, person, START_MS + DAY_MS + 60_000)).toBe(false);
		expect(renewSession(left, START_MS + DAY_MS + 59_000, 'UTC')).toBeNull();
	});

	it('never ends later than it would have ended without the switch', () => {
		const lastMs = session.expires_at_epoch_s * 1000 - 5000;
		expect(leftSession(session, lastMs).expires_at_epoch_s).toBe(session.expires_at_epoch_s);
	});

	it('still leads to another desk if the button is pressed again', () => {
		expect(maySwitch(left)).toBe(true);
	});
});

describe('a session in a browser that did not ask for the link', () => {
	const session = begun({ isAsker: false, anyDesk: true });

	it('lasts a day unless it is used 15 minutes or more after it began, and can switch desks only after such a use', () => {
		expect(maySwitch(session)).toBe(false);
		expect(session.expires_at_epoch_s * 1000).toBe(START_MS + DAY_MS);
		const renewedAt = (ms: number) => renewSession(session, START_MS + ms, 'UTC');
		expect(renewedAt(15 * MINUTE_MS - 1)).toBeNull();
		const renewed = renewedAt(15 * MINUTE_MS);
		expect(renewed).toMatchObject({ version: 2, expires_at_epoch_s: (START_MS + 15 * MINUTE_MS) / 1000 + 30 * 86_400 });
		expect(renewed !== null && maySwitch(renewed)).toBe(true);
	});
});

describe('a link to the desk', () => {
	const link = newDeskLink({ address, reason: 'sign_in' }, secret, START_MS);

	it('is stored for a day after it has expired', () => {
		expect(link.expires_at).toBe('2026-11-21T10:15:00.000Z');
		expect(link.expires_at_epoch_s).toBe((START_MS + 15 * MINUTE_MS + DAY_MS) / 1000);
	});

	it('ends when another link to the same address is used, but not by its own use, and not if it was mailed after that use', () => {
		const usedMs = START_MS + MINUTE_MS;
		const mailbox = mailboxAfterUse(null, address, usedMs);
		expect(isEndedBy(link, null)).toBe(false);
		expect(isEndedBy(link, mailbox)).toBe(true);
		expect(isEndedBy(deskLinkAfterUse(link, 'session', usedMs), mailbox)).toBe(false);
		expect(isEndedBy(newDeskLink({ address, reason: 'sign_in' }, secret, usedMs), mailbox)).toBe(false);
	});

	it('leaves a record of its use, which is stored until every link that this use ends has been deleted', () => {
		const invitation = newDeskLink({ address, reason: 'invitation', workspace_id: WORKSPACE }, secret, START_MS);
		expect(mailboxAfterUse(null, address, START_MS).expires_at_epoch_s).toBe(invitation.expires_at_epoch_s);
	});
});

describe('a handover', () => {
	it('can be undone for an hour; undoing a second handover restores the state before the first if less than an hour lies between the two, and otherwise the state after the first', () => {
		const before = { desk: [person], team_email: 'team@shop.example' };
		const first = afterHandover(before, START_MS);
		expect(first).toEqual({ ...before, until: '2026-11-21T11:00:00.000Z' });
		const taken = { desk: [{ ...person, address: 'eve@other.example' }], team_email: null, before_handover: first };
		expect(undoable(taken, START_MS + 60 * MINUTE_MS - 1)).toEqual(first);
		expect(undoable(taken, START_MS + 60 * MINUTE_MS)).toBeNull();
		expect(undoable({ ...taken, before_handover: null }, START_MS)).toBeNull();
		expect(afterHandover(taken, START_MS + 59 * MINUTE_MS)).toMatchObject({
			...before,
			until: '2026-11-21T11:59:00.000Z',
		});
		expect(afterHandover(taken, START_MS + 60 * MINUTE_MS)).toMatchObject({ desk: taken.desk, team_email: null });
	});
});
