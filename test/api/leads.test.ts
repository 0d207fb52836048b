import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { SentMail } from '../../local/aws/mail.ts';
import type { RingLogEntry } from '../../local/phone-network/ring-log.ts';
import { noticeId } from '../../shared/domain/notices/team-notice.ts';
import { showConsent } from '../../shared/use-cases/widget/show-consent.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { tableContents } from '../support/aws/table-contents.ts';
import { call, eventually, fromConsole, mailbox, visitorBody } from '../support/stack/api.ts';
import { operatedStack } from '../support/stack/suite-stack.ts';
import { put, version } from '../support/writes.ts';

const ORIGIN = 'https://teams.example';

const { stack, ops } = operatedStack();

type Site = { readonly workspace_key: string; readonly allowed_origin: string };

/** Creates a workspace whose team gets its mails at this address. */
async function teamAt(team_email: string | null): Promise<Site> {
	const team = ['+13125550101'];
	const made = await createWorkspace(
		{ name: 'Team', region: 'US', time_zone: 'America/New_York', origins: [ORIGIN], team, team_email },
		ops,
	);
	if ('refused' in made) throw new Error(made.refused);
	return { workspace_key: made.workspace.workspace_key, allowed_origin: ORIGIN };
}

async function leave(phone: string, name: string | null, site: Site = stack, note?: string): Promise<string> {
	const headers = { origin: site.allowed_origin };
	const answer = await call(stack.base_url, '/widget/callback-leads', {
		headers,
		body: visitorBody(site, { phone, name, note }),
	});
	expect(answer.status).toBe(201);
	return answer.json.data.id;
}

const mailTo = (to: string, subject: string) =>
	eventually(`mail ${subject}`, async () => {
		const found = (await mailbox(stack)).filter((mail) => mail.to === to && mail.subject.includes(subject));
		return found[0] ?? null;
	});

describe('a lead', () => {
	it('causes a mail to the team, which shows only the mask of the number', async () => {
		const id = await leave('+12025550121', 'Ada', stack, ' tomorrow\u202e\nmorning ');
		const mail = await mailTo('team@shop.example', 'Ada');
		expect(mail.text).toContain('When it suits: tomorrow morning\n');
		const headers = { authorization: `Bearer ${stack.api_key}` };
		const { data } = (await call(stack.base_url, `/callback-leads/${id}`, { headers })).json;
		expect(data).toMatchObject({ note: 'tomorrow morning', status: 'pending' });
		expect(await callsTo('+1********21')).toEqual([]);
		expect(mail.subject).toBe('Call back: Ada, +1 ••• ••• ••21');
		expect(mail.text).toContain(`${stack.allowed_origin}/pricing`);
		expect(JSON.stringify(mail)).not.toContain('2025550121');
	});

	it('keeps the consent text that the page showed, and is refused with a text that the workspace does not show', async () => {
		const headers = { origin: stack.allowed_origin };
		const lead = (phone: string, consent_text_id: string) =>
			call(stack.base_url, '/widget/callback-leads', { headers, body: visitorBody(stack, { phone, consent_text_id }) });
		const query = `workspace_key=${stack.workspace_key}&language=fr`;
		const { json } = await call(stack.base_url, `/widget/config?${query}`, { headers });
		const { id, text } = json.data.consent_texts.lead;
		const refused = await lead('+12025550126', id.replace('lead', 'call'));
		expect([refused.status, refused.json.code, refused.json.errors[0].pointer]).toEqual([
			422,
			'consent_required',
			'/consent_text_id',
		]);
		const taken = await lead('+12025550126', id);
		expect(taken.status).toBe(201);
		const { consents } = await showConsent({ workspace_id: stack.workspace_id, e164: '+12025550126' }, ops);
		expect(consents).toMatchObject([{ for: 'lead', id: taken.json.data.id, text, language: 'fr' }]);
	});

	it('causes no mail if the team has no address', async () => {
		const id = await leave('+12025550122', 'Nobody', await teamAt(null));
		expect(await ops.store.get('team_notice', { id: noticeId(id, 'mail') })).toBeNull();
	});
});

const linkIn = ({ text }: SentMail): string => /https?:\S+\/callback-links\/\S+/.exec(text)?.[0] ?? '';
const tokens: string[] = [];
/** Creates a lead, and returns the link in the message to the team. */
async function sentLink(phone: string, name: string): Promise<string> {
	await leave(phone, name);
	const url = linkIn(await mailTo('team@shop.example', name));
	tokens.push(url.split('.').at(-1) ?? '');
	return url;
}
const MEMBERS = ['m1', 'm2'] as const;
const post = (url: string, phone: string = MEMBERS[0], headers: Record<string, string> = {}) =>
	fetch(url, { method: 'POST', body: new URLSearchParams({ phone }), headers });
async function shown(response: Response) {
	const text = await response.text();
	return { status: response.status, code: /<meta name="problem" content="(\w+)">/.exec(text)?.[1] ?? null, text };
}
async function callsTo(masked: string) {
	const headers = { authorization: `Bearer ${stack.api_key}` };
	const { data } = (await call(stack.base_url, '/calls?limit=100', { headers })).json;
	return data.filter(({ visitor_phone_masked }: { visitor_phone_masked: string }) => visitor_phone_masked === masked);
}
async function ringsOf(callId: string): Promise<readonly RingLogEntry[]> {
	const log = (await fromConsole(stack, '/phones')) as readonly RingLogEntry[];
	return log.filter((entry) => entry.call_id === callId);
}

describe('the link in the message', () => {
	it('opens a page and places no call; the confirmation on that page rings the member, then the visitor, and connects them', async () => {
		const url = await sentLink('+12025550101', 'Dot');
		expect(url.startsWith(`${stack.base_url}/callback-links/`)).toBe(true);
		for (const method of ['GET', 'GET', 'HEAD']) await fetch(url, { method });
		const page = await fetch(url);
		expect(page.status).toBe(200);
		expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(page.headers.get('cache-control')).toBe('no-store');
		expect(page.headers.get('referrer-policy')).toBe('no-referrer');
		expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
		const text = await page.text();
		expect(text).toContain('Dot asked to be called back');
		expect(text).toContain('+1 ••• ••• ••01');
		expect(text).not.toMatch(/2025550101|<script/);
		expect(await callsTo('+1********01')).toEqual([]);

		const confirmed = await shown(await post(url, MEMBERS[1], { 'sec-fetch-site': 'same-origin', origin: 'null' }));
		expect([confirmed.status, confirmed.code]).toEqual([202, null]);
		expect(confirmed.text).toContain('Your phone is ringing');
		const ended = await eventually('the call is over', async () => {
			const [made] = await callsTo('+1********01');
			return made?.completed_at ? made : null;
		});
		expect(ended).toMatchObject({ status: 'completed', source_url: `${stack.allowed_origin}/pricing` });
		const rung = (await ringsOf(ended.id)).filter(({ what }) => what === 'ringing');
		expect(rung.map(({ role }) => role)).toEqual(['agent', 'visitor']);

		for (const again of [await fetch(url), await post(url)]) {
			expect(await shown(again)).toMatchObject({ status: 410, code: 'link_used' });
		}
		expect(await callsTo('+1********01')).toHaveLength(1);
	});

	it('creates one call when it is confirmed fifty times at once', async () => {
		const url = await sentLink('+12025550103', 'Eve');
		const confirm = async (): Promise<number> => {
			const { status, code } = await shown(await post(url));
			// If fifty requests use one link at the same time, some are answered with `service_busy`. The page then asks the
			// person to try again.
			return code === 'service_busy' ? confirm() : status;
		};
		const statuses = await Promise.all(Array.from({ length: 50 }, confirm));
		const used = statuses.filter((status) => status !== 202);
		expect(used).toEqual(used.map(() => 410));
		expect(used.length).toBeGreaterThanOrEqual(49);
		expect((await shown(await post(url))).status).toBe(410);
		const [only, ...others] = await callsTo('+1********03');
		expect([only?.visitor_phone_masked, others]).toEqual(['+1********03', []]);
	});

	it('opens a page that places no call and says why, if the link is invalid or expired, or the lead was dealt with', async () => {
		const url = await sentLink('+12025550104', 'Fay');
		const forged = `${url.slice(0, -1)}${url.endsWith('A') ? 'E' : 'A'}`;
		for (const bad of [forged, `${url}x`, url.replace(/\.[^.]+$/, ''), `${stack.base_url}/callback-links/x`]) {
			expect(await shown(await fetch(bad))).toMatchObject({ status: 404, code: 'link_not_valid' });
			expect(await shown(await post(bad))).toMatchObject({ status: 404, code: 'link_not_valid' });
		}
		const lead_id = /callback-links\/(\w{26})\./.exec(url)?.[1] ?? '';
		const headers = { authorization: `Bearer ${stack.api_key}` };
		const mark = (status: string) =>
			call(stack.base_url, `/callback-leads/${lead_id}`, { method: 'PATCH', headers, body: { status } });
		await mark('dismissed');
		expect(await shown(await post(url))).toMatchObject({ status: 409, code: 'lead_closed' });
		await mark('pending');
		const link = await ops.store.get('callback_link', { lead_id });
		if (link === null) throw new Error('there is no link');
		const expires_at = new Date(Date.now() - 1).toISOString();
		const secrets = link.secrets.map((secret) => ({ ...secret, expires_at }));
		const item = { ...link, version: link.version + 1, secrets };
		await ops.store.commit([put('callback_link', item, version(link.version))]);
		for (const late of [await fetch(url), await post(url)]) {
			expect(await shown(late)).toMatchObject({ status: 410, code: 'link_expired' });
		}
		expect(await callsTo('+1********04')).toEqual([]);
	});

	it('opens a page whose form is accepted only from that page and with a phone of the team; a refused form leaves the link valid', async () => {
		const url = await sentLink('+12025550106', 'Gil');
		const elsewhere = [
			{ 'sec-fetch-site': 'cross-site' },
			{ 'sec-fetch-site': 'same-site' },
			{ origin: 'https://evil.example' },
		];
		for (const headers of elsewhere) {
			expect(await shown(await post(url, MEMBERS[0], headers))).toMatchObject({ status: 403, code: 'form_not_ours' });
		}
		expect(await shown(await post(url, '7 +1********01'))).toMatchObject({ status: 422, code: 'validation_failed' });
		expect(await shown(await fetch(url, { method: 'POST' }))).toMatchObject({ status: 422, code: 'validation_failed' });
		const huge = await fetch(url, { method: 'POST', body: 'x'.repeat(20_000) });
		expect(await shown(huge)).toMatchObject({ status: 413, code: 'payload_too_large' });
		expect((await shown(await fetch(url))).status).toBe(200);
		expect(await callsTo('+1********06')).toEqual([]);
	});
});

it('the secret of a link is stored nowhere except in the mail', async () => {
	expect(tokens.length).toBeGreaterThanOrEqual(4);
	const files = readdirSync(stack.state_dir, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !/^mail\.jsonl$|\.js$|\.map$/.test(entry.name))
		.map(({ parentPath, name }) => join(parentPath, name));
	const table = await tableContents(stack.state_dir);
	expect(table).toContain('+1********06');
	const places = [['table', Buffer.from(table)] as const, ...files.map((file) => [file, readFileSync(file)] as const)];
	const holding = places.filter(([, bytes]) => tokens.some((token) => bytes.includes(token)));
	expect(holding.map(([place]) => place)).toEqual([]);
});

it('the functions’ logs contain no mail address, name, page or number of these leads', () => {
	const logs = readdirSync(join(stack.state_dir, 'logs')).map((file) =>
		readFileSync(join(stack.state_dir, 'logs', file), 'utf8'),
	);
	const said = logs.join('\n');
	expect(said).toContain('"fact":"notice"');
	expect(said).toContain('confirm-callback-link');
	expect(said).not.toMatch(/callback-links\/|@shop\.example|@teams\.example|Ada|pricing|20255501\d\d/);
});
