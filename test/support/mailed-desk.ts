import { randomBytes } from 'node:crypto';
import { newSession, SESSION_COOKIE } from '../../shared/domain/desk/session-cookie.ts';
import { formatSecret } from '../../shared/domain/kernel/link-token.ts';
import type { DeskRole } from '../../shared/domain/workspaces/desk-person.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { runShopAction } from '../../shared/http/desk/shop-actions.ts';
import type { Fields } from '../../shared/http/edge/form-fields.ts';
import type { DeskLinkMessage, NoticeMessage } from '../../shared/ports/registry.ts';
import type { TeamMessage } from '../../shared/ports/team-notifier.ts';
import { teamMail } from '../../shared/presentation/team-mail.ts';
import { askForLink, mailLink, openDesk } from '../../shared/use-cases/desk/desk-links.ts';
import { enterDesk } from '../../shared/use-cases/desk/enter-desk.ts';
import { planHandover } from '../../shared/use-cases/desk/handover-mail.ts';
import { changePeople } from '../../shared/use-cases/desk/people.ts';
import { notifyTeam } from '../../shared/use-cases/notices/notify-team.ts';
import { frontDesk } from './front-desk.ts';
import { memoryLog } from './memory-log.ts';
import { memoryStore } from './memory-store.ts';
import { always, put } from './writes.ts';

type Queued = DeskLinkMessage | NoticeMessage;
const isOurs = (message: object): message is Queued => 'address' in message || 'notice_id' in message;

/** Shops with desks in one table. Their mails are kept instead of sent, and people follow the links in them. */
export function mailedDesks() {
	const front = frontDesk(memoryStore());
	const { deps, now } = front;
	const queued: Queued[] = [];
	const mails: TeamMessage[] = [];
	const queues = {
		send: async (_: string, messages: readonly { readonly message: object }[]) => {
			for (const { message } of messages) if (isOurs(message)) queued.push(message);
			return { sent: messages.length, failed: 0 };
		},
	};
	const rights = { ...deps, queues };
	const worker = {
		...rights,
		log: memoryLog().log,
		notifier: {
			tell: async (message: TeamMessage) => {
				mails.push(message);
				return { notified: 'sent' } as const;
			},
		},
		chat: { tell: async () => ({ notified: 'sent' }) as const },
		vault: { openSecret: async (sealed: string) => sealed },
		link_base_url: 'https://api.example/v1',
		schedule_seconds: [0],
	};
	const given = {
		...worker,
		planHandover: (notice: Parameters<typeof planHandover>[0]) => planHandover(notice, worker),
	};
	/** The mails sent since the last call of this function. */
	async function mailed(): Promise<readonly TeamMessage[]> {
		for (const message of queued.splice(0)) {
			if ('address' in message) await mailLink(message, given);
			else await notifyTeam(message, given);
		}
		return mails.splice(0);
	}
	const tokenIn = (mail: TeamMessage | undefined): string => {
		if (mail === undefined) return '';
		const { desk_link, put_back }: Partial<Record<'desk_link' | 'put_back', { readonly url: string } | null>> = {
			...('desk_link' in mail && { desk_link: mail.desk_link }),
			...('handover' in mail && { put_back: mail.put_back }),
		};
		return (desk_link ?? put_back)?.url.split('/').at(-1) ?? '';
	};
	async function shop(changes: Partial<Workspace> = {}): Promise<string> {
		const workspace = front.workspace({}, { name: 'Shop', ...changes });
		await deps.store.commit([put('workspace', workspace, always)]);
		return workspace.id;
	}
	const saved = async (id: string): Promise<Workspace> => {
		const workspace = await deps.store.get('workspace', { id });
		if (workspace === null) throw new Error('the workspace is gone');
		return workspace;
	};
	/** Invites a person to a desk. `by` is the address of the person of the desk who invites. Without `by`, an operator invites. */
	const invite = (id: string, address: string, role: DeskRole = 'owner', by?: string) =>
		changePeople(id, { change: 'invite', address, role, ...(by && { by }) }, rights);
	/** Invites a person, who then opens the desk through the mailed link. */
	async function join(id: string, address: string, role: DeskRole = 'owner') {
		await invite(id, address, role);
		const [mail] = await mailed();
		return openDesk(tokenIn(mail), id, rights);
	}
	/** Opens a new session for a person of the desk. Tests also let a thief use such a session. */
	async function enter(id: string, address: string) {
		const secret = new Uint8Array(randomBytes(32));
		await deps.store.commit([put('desk_session', newSession(secret, { workspace_id: id, address }, now.ms), always)]);
		const at = await enterDesk([`${SESSION_COOKIE}=${formatSecret(secret)}`], deps);
		if (at === null) throw new Error(`${address} is not of the desk`);
		return at;
	}
	/** Sends a form of the desk as the person with this mail address. */
	async function press(id: string, address: string, fields: Fields) {
		const at = await enter(id, address);
		now.ms += 1000;
		return runShopAction(at, fields, rights);
	}
	const signIn = (address: string, sourceIp = '192.0.2.1') => askForLink(address, sourceIp, rights);
	const use = (id: string, mail: TeamMessage | undefined) => openDesk(tokenIn(mail), id, rights);
	const textOf = (mail: TeamMessage | undefined): string => {
		if (mail === undefined) return '';
		const { subject, text, html } = teamMail(mail);
		return [subject, text, html].join('\n');
	};
	return { ...front, rights, worker: given, mailed, shop, saved, invite, join, enter, press, signIn, use, textOf };
}
