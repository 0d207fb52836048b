import { expect, it } from '@jest/globals';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { problemPage } from '../../../shared/http/edge/page.ts';
import { confirmProblem } from '../../../shared/http/leads/callback-pages.ts';
import { textsIn } from '../../../shared/presentation/team-texts.ts';

// A page that refuses a request has exactly one link by which its reader can go on, in the reader's language.

const requestIn = (language: string, cookies: readonly string[] = []) => ({
	id: 'r1',
	headers: { 'accept-language': language },
	cookies,
});
/** The links of a page, each with its text. */
const waysOf = (body = '') => [...body.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...way]) => way);

const anyPage = [
	'form_not_ours',
	'payload_too_large',
	'unsupported_media_type',
	'validation_failed',
	'service_busy',
	'internal_error',
	'rate_limited',
] as const;
it.each(languages.flatMap((language) => anyPage.map((code) => [language, code] as const)))(
	'in %s, a page that was refused with %s can be opened again',
	(language, code) => {
		const { body } = problemPage({ code, detail: '' }, requestIn(language, ['__Host-desk=secret']));
		expect(waysOf(body)).toEqual([['', textsIn(language).open_again]]);
	},
);

it.each(languages)('in %s, a link to call back leads to the desk once the link no longer works', (language) => {
	const texts = textsIn(language);
	const locale = { language, time_zone: 'UTC' } as const;
	const at = '2026-11-21T09:00:00.000Z';
	const gone = [
		confirmProblem({ refused: 'link_used', at, locale }),
		confirmProblem({ refused: 'link_expired', at, locale }),
		confirmProblem({ refused: 'lead_closed', lead_status: 'handled', locale }),
		confirmProblem({ refused: 'suppressed', retry_after_seconds: 60, locale }),
	];
	for (const problem of gone) {
		const [stranger, member] = [[], ['__Host-desk=secret']].map((cookies) =>
			waysOf(problemPage(problem, requestIn(language, cookies)).body),
		);
		expect(stranger).toEqual([['../desk/pages/today', texts.open_desk]]);
		expect(member).toEqual([['../desk/pages/today', texts.back_to_list]]);
	}
	const unknown = problemPage(confirmProblem({ refused: 'link_not_valid' }), requestIn(language));
	expect(waysOf(unknown.body)).toEqual([['../desk/pages/today', texts.open_desk]]);
});

it('a link to call back that still works can be opened again without a session', () => {
	const locale = { language: 'de', time_zone: 'UTC' } as const;
	const later = { retry_after_seconds: 60, locale } as const;
	for (const problem of [
		confirmProblem({ refused: 'in_a_call', ...later }),
		confirmProblem({ refused: 'calls_unavailable', ...later }),
		confirmProblem({ refused: 'member_unknown', locale }),
	])
		expect(waysOf(problemPage(problem, requestIn('de')).body)).toEqual([['', 'Seite noch einmal öffnen']]);
});
