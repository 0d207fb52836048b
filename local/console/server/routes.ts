import { ID_PATTERN } from '../../../shared/domain/kernel/id.ts';
import { createApiKey, revokeApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { moveShop, readShop } from './demo-shop.ts';
import { deskSession } from './desk-session.ts';
import { type RecentSources, recentRoute } from './recent.ts';
import type { ConsoleActions, ConsoleRoutes } from './server.ts';

export function consoleRoutes(sources: RecentSources): ConsoleRoutes {
	const { inbox, inbox_name, phones, mailbox, logs, departments, running } = sources;
	return {
		recent: recentRoute(sources),
		logs: (after) => logs.after(Number(after) || 0),
		shop: async () => {
			const up = running();
			return up === null ? null : readShop(up.facts.workspace_id, departments.keys(), up.deps);
		},
		phones: () => phones.log(),
		inbox: (name) => inbox.received(name || inbox_name),
		mailbox: () => mailbox.mails(),
	};
}

const STARTING = { status: 503, body: { title: 'The stack is still starting.' } };
const NO_LINK = { status: 503, body: { title: 'No mail with a link came. One mailbox gets three in ten minutes.' } };

async function cancelCall(id: string, baseUrl: string, apiKey: string) {
	const headers = { authorization: `Bearer ${apiKey}` };
	const url = `${baseUrl}/calls/${encodeURIComponent(id)}/cancel`;
	const response = await fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(5000) });
	const body: unknown = await response.json();
	return { status: response.status, body };
}

export function consoleActions({
	running,
	mailbox,
	departments,
}: Pick<RecentSources, 'running' | 'mailbox' | 'departments'>): ConsoleActions {
	let signIn = deskSession(mailbox);
	return {
		/** Cancels a call in the same way as a server of the call's workspace. */
		'hang-up': async (call) => {
			const up = running();
			if (up === null) return STARTING;
			const { facts, deps } = up;
			const record = ID_PATTERN.test(call) ? await deps.store.get('call', { id: call }) : null;
			const department = departments.ids().find((id) => id === record?.workspace_id);
			if (department === undefined) return cancelCall(call, facts.base_url, facts.api_key);
			// No API key of a department is stored, so each press of the button creates an API key and revokes it afterwards.
			const made = await createApiKey(
				{ workspace_id: department, name: 'console', permissions: ['calls:write'] },
				deps,
			);
			if ('refused' in made) return { status: 404, body: { title: 'There is no such department.' } };
			try {
				return await cancelCall(call, facts.base_url, made.secret);
			} finally {
				await revokeApiKey(made.key, deps);
			}
		},
		desk: async () => {
			const up = running();
			if (up === null) return STARTING;
			const cookie = await signIn(up.facts);
			return cookie === null ? NO_LINK : { status: 200, body: {}, cookie };
		},
		shop: async (_, body) => {
			const up = running();
			return up === null ? STARTING : moveShop(up.facts.workspace_id, body, up.deps);
		},
		departments: async () => {
			const up = running();
			if (up === null) return STARTING;
			const before = departments.keys();
			await departments.open(up.facts, up.deps);
			// The owner needs a new session, because a session that began before the departments existed does not lead to
			// their desks.
			if (before === null) signIn = deskSession(mailbox);
			return { status: 200, body: {} };
		},
	};
}
