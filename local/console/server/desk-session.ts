import type { SentMail } from '../../aws/mail.ts';
import type { Mailbox } from '../../aws/mailbox.ts';
import type { StackFacts } from '../page/wire.ts';

const LINK = /http\S+\/desk\/links\/\S+/;
/** Milliseconds between two reads of the mailbox. */
const PAUSE_MS = 50;
/** After this many reads of the mailbox, the sign-in is given up because no link has arrived. */
const MOST_ATTEMPTS = 200;

const form = (cookie: string, baseUrl: string, fields: Readonly<Record<string, string>> | null): RequestInit => ({
	method: fields === null ? 'GET' : 'POST',
	headers: { cookie, origin: new URL(baseUrl).origin },
	body: fields === null ? null : new URLSearchParams(fields),
	redirect: 'manual',
});

/**
 * The link in the first new mail to this address. A mail is new if `before` does not contain the mail. Null if no new mail
 * with a link comes.
 */
async function linkTo(address: string, mailbox: Mailbox, before: ReadonlySet<SentMail>): Promise<string | null> {
	for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
		for (const mail of mailbox.mails()) {
			const link = mail.to === address && !before.has(mail) ? LINK.exec(mail.text)?.[0] : undefined;
			if (link !== undefined) return link;
		}
		await new Promise((go) => setTimeout(go, PAUSE_MS));
	}
	return null;
}

/**
 * Returns a function that signs in at the demo workspace's desk as its owner, with the link in the mail. The function uses
 * the same session until that session ends. The function returns the cookie for the browser, or null if no link has
 * arrived. The browser also sends the cookie to the desk, because cookies are not bound to a port.
 */
export function deskSession(mailbox: Mailbox) {
	let session = '';
	return async ({ base_url, desk_url, desk_owner, workspace_id }: StackFacts): Promise<string | null> => {
		const cookie = session.split(';', 1)[0] ?? '';
		if (cookie !== '' && (await fetch(desk_url, form(cookie, base_url, null))).ok) return session;
		const before = new Set(mailbox.mails());
		const asked = await fetch(`${base_url}/desk/sign-in`, form('', base_url, { address: desk_owner }));
		const [asking = ''] = (asked.headers.get('set-cookie') ?? '').split(';', 1);
		const link = await linkTo(desk_owner, mailbox, before);
		if (link === null) return null;
		const { headers } = await fetch(link, form(asking, base_url, { workspace: workspace_id }));
		session = headers.get('set-cookie') ?? '';
		return session || null;
	};
}
