import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newSession, SESSION_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret, formatToken } from '../../../shared/domain/kernel/link-token.ts';
import { withSecret } from '../../../shared/domain/notices/callback-link.ts';
import { runShopAction } from '../../../shared/http/desk/shop-actions.ts';
import { callBack } from '../../../shared/use-cases/desk/contacts.ts';
import { enterDesk } from '../../../shared/use-cases/desk/enter-desk.ts';
import { findCallbackLink } from '../../../shared/use-cases/leads/find-callback-link.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { always, put } from '../../support/writes.ts';

// A person, or a program with a person's session, presses the buttons of the desk again and again.

const IDA = 'ida@shop.example';

async function shop() {
	const front = frontDesk(memoryStore());
	const { deps, now } = front;
	const people = ['ida@shop.example', 'mia@shop.example'].map((address) => ({
		address,
		role: 'owner' as const,
		sessions_from: '',
	}));
	const workspace = front.workspace({}, { desk: people });
	await deps.store.commit([put('workspace', workspace, always)]);
	const enter = async (address: string) => {
		const secret = new Uint8Array(randomBytes(32));
		const session = newSession(secret, { workspace_id: workspace.id, address }, now.ms);
		await deps.store.commit([put('desk_session', session, always)]);
		const at = await enterDesk([`${SESSION_COOKIE}=${formatSecret(secret)}`], deps);
		if (at === null) throw new Error('the session does not live');
		return at;
	};
	return { ...front, workspace, enter };
}

describe('forty presses of Call back', () => {
	it('invalidate no link in the messages to the team, and the links of the latest presses open their pages', async () => {
		const { deps, workspace, captureLead } = await shop();
		const asked = await captureLead(workspace, '+12025550101');
		if (!('lead' in asked)) throw new Error(asked.refused);
		const { id } = asked.lead;
		const messages = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
		for (const secret of messages) {
			const before = await deps.store.get('callback_link', { lead_id: id });
			const about = { lead_id: id, workspace_id: workspace.id };
			await deps.store.commit([put('callback_link', withSecret(before, about, secret, deps.clock.now()), always)]);
		}
		const presses = Array.from({ length: 40 }, () => new Uint8Array(randomBytes(32)));
		for (const press of presses) {
			expect(await callBack(workspace.id, { of: 'callback_lead', id }, press, deps)).toHaveProperty('link');
		}
		for (const secret of [...messages, ...presses.slice(-10)])
			expect(await findCallbackLink(formatToken(id, secret), deps)).toHaveProperty('link');
		const [first = new Uint8Array()] = presses;
		expect(await findCallbackLink(formatToken(id, first), deps)).toEqual({ refused: 'link_not_valid' });
		expect((await deps.store.get('callback_link', { lead_id: id }))?.secrets).toHaveLength(13);
	});
});

describe('forms of the shop’s pages', () => {
	it('are refused after 120 by one person in a minute, and accepted in the next minute, and from other people at once', async () => {
		const { deps, now, enter } = await shop();
		const ida = await enter(IDA);
		const mia = await enter('mia@shop.example');
		const pauses = (at: typeof ida, shown: number) =>
			runShopAction(at, { action: 'paused', for: 'hour', shown: `${shown}` }, deps);
		for (let nth = 0; nth < 120; nth += 1) expect(await pauses(ida, nth)).toEqual({ done: true });
		for (let nth = 120; nth < 240; nth += 1) expect(await pauses(ida, nth)).toEqual({ refused: 'pressed_often' });
		expect(await pauses(mia, 0)).toEqual({ done: true });
		now.ms += 60_000;
		expect(await pauses(ida, 300)).toEqual({ done: true });
	});
});
