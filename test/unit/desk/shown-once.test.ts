import { expect, it } from '@jest/globals';
import { newSession } from '../../../shared/domain/desk/session-cookie.ts';
import { openForSession, sealForSession } from '../../../shared/domain/desk/shown-once.ts';
import { keepToShow, showOnce } from '../../../shared/use-cases/desk/shown-once.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

const SECRET = 'cbk_live_secret';
const bytes = (fill: number, length = 32) => new Uint8Array(length).fill(fill);

it('a secret that is sealed for a session can be opened only with that session’s cookie, only for the place that it was sealed for, and only unchanged', () => {
	const sealed = sealForSession(bytes(1), SECRET, 'here', bytes(7, 12));
	expect(openForSession(bytes(1), sealed, 'here')).toBe(SECRET);
	expect(sealed).not.toContain(Buffer.from(SECRET).toString('base64url').slice(0, 12));
	const flipped = Buffer.from(sealed, 'base64url');
	flipped.writeUInt8(flipped.readUInt8(14) ^ 1, 14);
	const wrong = [
		openForSession(bytes(2), sealed, 'here'),
		openForSession(bytes(1), sealed, 'elsewhere'),
		openForSession(bytes(1), flipped.toString('base64url'), 'here'),
		openForSession(bytes(1), sealed.slice(0, -2), 'here'),
		openForSession(bytes(1), '', 'here'),
	];
	expect(wrong).toEqual([null, null, null, null, null]);
});

it('a secret is shown once, within ten minutes, and only to its session', async () => {
	const store = memoryStore();
	const { now, deps, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	const person = { address: 'dev@agency.example', role: 'developer', sessions_from: '' } as const;
	const atDesk = (fill: number) => {
		const session = newSession(bytes(fill), { workspace_id: workspace.id, address: person.address }, now.ms);
		return { workspace, person, session, secret: bytes(fill) };
	};
	const keep = async (press: string) =>
		store.commit([keepToShow(atDesk(1), press, { secret: SECRET, resource_id: 'key' }, deps)]);
	await keep('press');
	expect(await showOnce(atDesk(2), 'press', deps)).toBeNull();
	expect(await showOnce(atDesk(1), 'other press', deps)).toBeNull();
	expect(await showOnce(atDesk(1), 'press', deps)).toEqual({ secret: SECRET, resource_id: 'key' });
	expect(await showOnce(atDesk(1), 'press', deps)).toBeNull();
	await keep('late');
	now.ms += 600_000;
	expect(await showOnce(atDesk(1), 'late', deps)).toBeNull();
});
