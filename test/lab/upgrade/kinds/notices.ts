import assert from 'node:assert/strict';
import { eventually } from '../../../support/stack/api.ts';
import { holds, holdsInTime, type NewKind } from './held.ts';
import { teamMail } from './links.ts';

// Checks messages to the team that are due.

export const notices: NewKind = (site, shop, quiet) => {
	const chat = site.receivers.open('broken');
	const about = (text: string) => site.receivers.posts(chat).filter(({ body }) => body.includes(text));
	return {
		name: 'notices',
		async early() {
			const { ops } = site.stack();
			await ops('workspace', 'set', '--workspace', quiet.id, '--team-webhook', chat);
			const phone = site.number('10');
			const { id } = await site.ask(quiet, 'call-requests', phone, { name: `Maria ${phone.slice(1)}` });
			await site.reach(quiet, id, 'failed');
			return [
				// The message about the missed call is sent only after some minutes, so this checks the page with the missed calls.
				holds('a missed call on the list', async () => {
					const { status, html } = await site.send(site.pageAt('today'), quiet.session);
					assert.deepEqual([status, html.includes(`Maria ${phone.slice(1)}`)], [200, true]);
				}),
			];
		},
		async late() {
			const phone = site.number('01');
			const name = `Hedy ${phone.slice(1)}`;
			await site.ask(quiet, 'callback-leads', phone, { name });
			await eventually('the second try has failed', async () => (about(name).length >= 2 ? true : null));
			return [
				holds('a message to a chat that waits for its third try', async () => {
					site.receivers.behaves(chat, 'healthy');
					await eventually('it arrives', async () => (about(name).length >= 3 ? true : null));
				}),
			];
		},
		last() {
			const phone = site.number('01');
			const name = `Joan ${phone.slice(1)}`;
			const asked = site.ask(shop, 'callback-leads', phone, { name }).catch(() => null);
			return [
				holdsInTime('a mail to the team that is not sent yet', async () => {
					if ((await asked) !== null) await teamMail(site, shop, name);
				}),
			];
		},
	};
};
