import { describe, expect, it } from '@jest/globals';
import type { Language } from '../../../shared/domain/workspaces/language.ts';
import { problemPage } from '../../../shared/http/edge/page.ts';
import type { HttpRequest } from '../../../shared/http/edge/request.ts';
import { askPage, confirmProblem, ringingPage } from '../../../shared/http/leads/callback-pages.ts';
import type { LeadNotice } from '../../../shared/ports/team-notifier.ts';
import { leadMail } from '../../../shared/presentation/lead-mail.ts';
import { readableMask } from '../../../shared/presentation/readable-mask.ts';
import { initialsOf, placeOf } from '../../../shared/presentation/team-words.ts';
import { samples } from '../../support/sample-records.ts';

const lead = { ...samples.callback_lead, name: 'Ada', source_url: 'https://shop.example/pricing' };
const notice = (changes: Partial<LeadNotice['lead']> = {}, language: Language = 'en', time_zone = 'UTC') => ({
	to: 'team@shop.example',
	workspace_name: 'Shop <3',
	locale: { language, time_zone },
	lead: { ...lead, ...changes },
	link: { url: 'https://api.example/v1/callback-links/x.y', expires_at: '2026-11-24T09:00:00.000Z' },
});

describe('the mail about a lead', () => {
	it('has the name, the page, the time in the team’s time zone, and the mask of the number', () => {
		const { subject, text } = leadMail(notice({}, 'en', 'Europe/Copenhagen'));
		expect(subject).toBe('Call back: Ada, +1 ••• •••01');
		expect(text).toContain('Ada asked to be called back.');
		expect(text).toContain('https://shop.example/pricing');
		expect(text).toContain('21 November 2026, 10:00 (Copenhagen)');
		expect(text).toContain('\nhttps://api.example/v1/callback-links/x.y\n');
		expect(text).toContain('once, until 24 November 2026, 10:00 (Copenhagen)');
	});

	it('has the same content as HTML, with visitors’ input escaped and click tracking off', () => {
		const { html } = leadMail(notice({ name: '<img src=x onerror=alert(1)>&"' }));
		expect(html).toContain('‹img src=x onerror=alert(1)›&amp;&quot; asked to be called back.');
		expect(html).not.toContain('<img');
		expect(html).toContain('Shop ‹3');
		expect(html).toContain('<a href="https://api.example/v1/callback-links/x.y" ses:no-track');
		expect([...html.matchAll(/<a /g)]).toHaveLength([...html.matchAll(/ses:no-track/g)].length);
	});

	it('says at what time a call suits the visitor, as text that no mail program turns into a link, and nothing if the visitor gave no time', () => {
		const { subject, text, html } = leadMail(notice({ note: 'tomorrow\r\nmorning, see www.evil.example <b>' }));
		expect(subject).toBe('Call back: Ada, +1 ••• •••01');
		expect(text).toContain('\nWhen it suits: tomorrow morning, see www. evil. example ‹b›\n');
		expect(html).toContain('tomorrow morning, see www. evil. example ‹b›');
		expect(leadMail(notice({ note: null })).text).not.toContain('When it suits');
		expect(leadMail(notice()).html).not.toContain('When it suits');
	});

	it.each([
		['de', 'Rückruf: Ada, +1 ••• •••01', 'Ada bittet um Rückruf.', '21. November 2026'],
		['es', 'Devolver la llamada: Ada, +1 ••• •••01', 'Ada pide que le llamen.', '21 de noviembre de 2026'],
		['fr', 'À rappeler : Ada, +1 ••• •••01', 'Ada demande un rappel.', '21 novembre 2026'],
		['it', 'Da richiamare: Ada, +1 ••• •••01', 'Ada ha chiesto di ricevere una chiamata.', '21 novembre 2026'],
		['nl', 'Terugbellen: Ada, +1 ••• •••01', 'Ada wil graag teruggebeld worden.', '21 november 2026'],
		['pt', 'Ligar de volta: Ada, +1 ••• •••01', 'Ada pediu para receber uma chamada.', '21 de novembro de 2026'],
		['pl', 'Do oddzwonienia: Ada, +1 ••• •••01', 'Ada prosi o oddzwonienie.', '21 listopada 2026'],
		['tr', 'Geri aranacak: Ada, +1 ••• •••01', 'Ada geri aranmak istiyor.', '21 Kasım 2026'],
		['ar', 'معاودة الاتصال: Ada، \u2066+1 ••• •••01\u2069', 'طلب Ada معاودة الاتصال به.', '21 نوفمبر 2026'],
	] as const)('is written in %s, as text and as HTML', (language, subject, asked, day) => {
		const mail = leadMail(notice({}, language));
		expect(mail.subject).toBe(subject);
		for (const part of [mail.text, mail.html]) {
			expect(part).toContain(asked);
			expect(part).toContain(day);
		}
		expect(mail.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
	});

	it('keeps a name on one line: no line breaks, controls or marks that reverse the text', () => {
		const { subject, text } = leadMail(notice({ name: 'Ada\r\nBcc: x@y.z\u202e\u0007\u2028!' }));
		expect(subject).toBe('Call back: Ada Bcc: x (at) y. z !, +1 ••• •••01');
		expect(text.split('\n')[0]).toBe('Ada Bcc: x (at) y. z ! asked to be called back.');
		expect(leadMail(notice({ name: '\u200b' })).subject).toBe('Call back: A visitor, +1 ••• •••01');
	});

	it.each([
		['https://evil.example/login', 'https evil. example/login'],
		['Ada www.evil.example', 'Ada www. evil. example'],
		['evil\uff0eexample and evil\u3002example', 'evil. example and evil. example'],
		['https:evil.example', 'https:evil. example'],
		['ada@evil.example', 'ada (at) evil. example'],
		['[Ada](mailto:a)', '[Ada] (mailto:a)'],
		['[Ada][evil] and [evil]: evil', '[Ada] [evil] and [evil] : evil'],
		['J.R. Ewing Jr.', 'J. R. Ewing Jr.'],
	])('makes no link of the name %s, in its subject, text or HTML', (name, shown) => {
		const { subject, text, html } = leadMail(notice({ name }));
		expect(subject).toBe(`Call back: ${shown}, +1 ••• •••01`);
		expect(text.split('\n')[0]).toBe(`${shown} asked to be called back.`);
		expect(html).toContain(`>${shown} asked to be called back.</h1>`);
	});
});

describe('the team’s pages', () => {
	const workspace = {
		...samples.workspace,
		language: 'de' as const,
		team: [
			{ id: 'm1', name: 'Ida Wells', phone_masked: '+49********01' },
			{ id: 'm2', phone_masked: '+49********02' },
		],
	};
	const open = { link: samples.callback_link, expires_at: '2026-11-24T09:00:00.000Z' };
	const request = (acceptLanguage?: string): HttpRequest => ({
		id: 'r1',
		method: 'GET',
		path: '/',
		query: {},
		params: {},
		source_ip: '',
		cookies: [],
		body: null,
		headers: { 'accept-language': acceptLanguage },
	});

	it('ask in the team’s language, and tell phones apart by name and mask', () => {
		const { body = '', headers } = askPage({ ...open, lead, workspace }, { cookies: [] });
		expect(headers).toMatchObject({ 'content-language': 'de' });
		expect(body).toContain('<html lang="de" dir="ltr">');
		expect(body).toContain('Ada bittet um Rückruf');
		expect(body).toContain('Welches Telefon ist Ihres?');
		expect(body).toMatch(/>IW<\/span>\s*<span>Ida Wells <small><bdi dir="ltr">\+49 ••• ••• ••01</);
		expect(body).toMatch(/>2<\/span>\s*<span>Telefon 2 <small><bdi dir="ltr">\+49 ••• ••• ••02</);
		const ringing = (cookies: readonly string[]) =>
			ringingPage({ name: 'Ida <b>', phone_masked: '+49********01' }, { language: 'de' }, { cookies }).body ?? '';
		expect(ringing([])).toContain('Wir rufen Ida &lt;b&gt; (+49 ••• ••• ••01) an.');
	});

	it('link back to the list of the desk, if the browser has a session there', () => {
		const back = '<a class="button" href="../desk/pages/today">Zurück zur Liste</a>';
		const desk = { cookies: ['__Host-desk=secret'] };
		const ringing = (from: { cookies: readonly string[] }) =>
			ringingPage({ phone_masked: '+49********01' }, { language: 'de' }, from).body;
		expect([ringing(desk), ringing({ cookies: [] })]).toEqual([
			expect.stringContaining(back),
			expect.not.stringContaining(back),
		]);
		const locale = { language: 'de', time_zone: 'UTC' } as const;
		const refusal = confirmProblem({ refused: 'in_a_call', retry_after_seconds: 60, locale });
		expect(problemPage(refusal, { ...request('de'), ...desk }).body).toContain(back);
		expect(problemPage(refusal, request('de')).body).not.toContain(back);
	});

	it('lead to the desk, and open the visitor’s page in a new tab, so that the page with the phones stays', () => {
		const ask = (cookies: readonly string[]) => askPage({ ...open, lead, workspace }, { cookies }).body ?? '';
		expect(ask([])).toMatch(
			/target="_blank" rel="noreferrer [^>]*>[^<]+<\/a><\/bdi>\s<small>\(öffnet einen neuen Tab\)<\/small>/,
		);
		const way = (label: string) => `<p class="soft"><a href="../desk/pages/today">${label}</a></p>`;
		expect(ask([])).toContain(way('Rückruf-Cockpit öffnen'));
		expect(ask(['__Host-desk=secret'])).toContain(way('Zurück zur Liste'));
	});

	it('say when a call suits the visitor, in the visitor’s words', () => {
		const ask = (note: string | null) =>
			askPage({ ...open, lead: { ...lead, note }, workspace }, { cookies: [] }).body ?? '';
		expect(ask('morgen <früh>')).toContain('<dt>Wann es passt</dt><dd><bdi>morgen ‹früh›</bdi></dd>');
		expect(ask(null)).not.toContain('Wann es passt');
	});

	it('refuse in the team’s language', () => {
		const locale = { language: 'fr', time_zone: 'UTC' } as const;
		const refusal = confirmProblem({ refused: 'link_used', at: lead.created_at, locale });
		const { body, statusCode } = problemPage(refusal, request('de'));
		expect(statusCode).toBe(410);
		expect(body).toContain('<meta name="problem" content="link_used">');
		expect(body).toContain('Ce lien a déjà servi');
		expect(body).toContain('Il a servi le 21 novembre 2026');
	});

	it.each([
		['de-AT,de;q=0.9,en;q=0.8', 'Dieser Link ist ungültig'],
		['sv-SE,es;q=0.5', 'Este enlace no es válido'],
		['pt-BR,es;q=0.5', 'Este link não é válido'],
		['xx', 'This link is not valid'],
		[undefined, 'This link is not valid'],
	])('refuse in the reader’s language (%s) if no team is known', (accepted, title) => {
		const { body } = problemPage(confirmProblem({ refused: 'link_not_valid' }), request(accepted));
		expect(body).toContain(`<h1>${title}</h1>`);
	});

	it('explain a failure in words, with the reference and nothing internal', () => {
		const { body, statusCode } = problemPage({ code: 'internal_error', detail: 'secret' }, request('de'));
		expect(statusCode).toBe(500);
		expect(body).toContain('Etwas ist schiefgegangen');
		expect(body).toContain('Kennung: r1');
		expect(body).not.toContain('secret');
	});
});

describe('names and numbers in texts:', () => {
	const initials = {
		'Ida Wells': 'IW',
		ida: 'I',
		'Anne-Marie von der Leyen': 'AL',
		'محمد علي': 'مع',
		'🙂 Bo': 'B',
		'': '',
		'7': '',
	};
	it.each(Object.entries(initials))('the name "%s" has the initials "%s"', (name, initials) => {
		expect(initialsOf(name)).toBe(initials);
	});

	it('a masked number is read in groups', () => {
		expect(readableMask('+1********01')).toBe('+1 ••• ••• ••01');
		expect(readableMask('+49****')).toBe('+49 ••• •');
	});
});

it.each([
	['America/New_York', 'New York'],
	['America/Argentina/Buenos_Aires', 'Buenos Aires, Argentina'],
	['America/Port-au-Prince', 'Port-au-Prince'],
	['UTC', 'UTC'],
])('the time zone %s is shown as %s', (zone, place) => {
	expect(placeOf(zone)).toBe(place);
});
