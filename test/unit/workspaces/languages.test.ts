import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadTexts } from '../../../packages/widget/npm/texts.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { newWorkspace } from '../../../shared/domain/workspaces/new-workspace.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { endpointTextsIn } from '../../../shared/presentation/endpoint-texts.ts';
import { textsIn } from '../../../shared/presentation/team-texts.ts';
import { countText, TAGS } from '../../../shared/presentation/team-words.ts';

// Everything that people read has every text in every language, with the plural forms that the language needs.

type Texts = string | readonly Texts[] | { readonly [key: string]: Texts };

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const widgetTexts = (language: string): Texts => JSON.parse(read(`packages/widget/texts/${language}.json`));
const SURFACES: Readonly<Record<string, (language: (typeof languages)[number]) => Texts>> = {
	'the widget': widgetTexts,
	'the team’s pages and messages': textsIn,
	'mails about endpoints': endpointTextsIn,
	'the desk': deskTextsIn,
};

/**
 * The beginnings of numbers that NANPA, Ofcom, Arcep and the Bundesnetzagentur reserve for fiction. Most other numbering plans
 * have no such numbers.
 */
const FICTION = /^\+(1[2-9]\d\d55501|442079460|3319900|493023125)\d+$/;
/** The phone numbers in a text that a person may have. */
const realNumbers = (text: string): readonly string[] =>
	[...text.matchAll(/\+\d[\d ]{6,}\d/g)]
		.map(([number]) => number)
		.filter((number) => !FICTION.test(number.replaceAll(' ', '')));

const places = (text: string): string => [...new Set(text.match(/\{\d\}/g))].sort().join('');
const PLURALS = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);
type Forms = { readonly other: string };
const isCounted = (texts: object): texts is Forms =>
	'other' in texts && Object.keys(texts).every((key) => PLURALS.has(key));
/** Whether a plural category stands for a single number, so that its text need not contain the number, as in `Last day`. */
const isOneNumber = (rules: Intl.PluralRules, category: string): boolean =>
	Array.from({ length: 1000 }, (_, count) => rules.select(count)).filter((each) => each === category).length === 1;

function textGaps(english: string, text: string, at: string): string[] {
	if (text.trim() === '') return [`${at} is empty`];
	if (places(text) !== places(english)) return [`${at} has ${places(text)} for ${places(english)}`];
	return [];
}

function pluralGaps(english: Forms, forms: object, tag: string, at: string): string[] {
	const rules = new Intl.PluralRules(tag);
	const needed = rules.resolvedOptions().pluralCategories;
	const missing = needed.filter((category) => !(category in forms)).map((category) => `${at}.${category} is missing`);
	const found = Object.entries(forms).flatMap(([category, form]) => {
		if (!needed.some((each) => each === category)) return [`${at}.${category} is never used`];
		if (isOneNumber(rules, category) && places(form) === '') return [];
		return textGaps(english.other, form, `${at}.${category}`);
	});
	return [...missing, ...found];
}

/** What the texts of a language lack in comparison with the English texts. */
function gaps(english: Texts, other: Texts | undefined, tag: string, at = 'text'): string[] {
	if (other === undefined) return [`${at} is missing`];
	if (typeof english === 'string') {
		return typeof other === 'string' ? textGaps(english, other, at) : [`${at} is not a text`];
	}
	if (typeof other === 'string') return [`${at} is only a text`];
	if (isCounted(english)) return pluralGaps(english, other, tag, at);
	const here = new Map(Object.entries(english));
	const there = new Map<string, Texts>(Object.entries(other));
	const extra = [...there.keys()].filter((key) => !here.has(key)).map((key) => `${at}.${key} is not in English`);
	return [...[...here].flatMap(([key, text]) => gaps(text, there.get(key), tag, `${at}.${key}`)), ...extra];
}

/** All texts of at least two words, by their path. */
function sentences(texts: Texts, at = ''): readonly (readonly [string, string])[] {
	if (typeof texts === 'string') return /\p{L}.* .*\p{L}/u.test(texts) ? [[at, texts]] : [];
	return Object.entries(texts).flatMap(([key, text]) => sentences(text, `${at}.${key}`));
}

describe.each(Object.entries(SURFACES))('%s', (_, textsOf) => {
	it.each(languages)('in %s has every key, placeholder and plural form, and none is empty', (language) => {
		expect(gaps(textsOf('en'), textsOf(language), TAGS[language])).toEqual([]);
	});

	it.each(languages)('in %s has only phone numbers that nobody has', (language) => {
		expect(sentences(textsOf(language)).flatMap(([, text]) => realNumbers(text))).toEqual([]);
	});

	it.each(languages.filter((language) => language !== 'en'))('in %s has every sentence translated', (language) => {
		const english = new Map(sentences(textsOf('en')));
		expect(sentences(textsOf(language)).filter(([at, text]) => english.get(at) === text)).toEqual([]);
	});
});

describe('a gap in a language', () => {
	const english = { title: 'Hello {0}', list: ['one', 'two'], days: { one: '{0} day', other: '{0} days' } };
	const polish = { one: 'dzień', few: '{0} dni', many: '{0} dni', other: '{0} dnia' };
	it.each([
		['a missing key', { list: ['raz', 'dwa'], days: polish }, ['text.title is missing']],
		['a missing item', { title: 'Cześć {0}', list: ['raz'], days: polish }, ['text.list.1 is missing']],
		['a missing placeholder', { title: 'Cześć', list: ['raz', 'dwa'], days: polish }, ['text.title has  for {0}']],
		['an empty text', { title: ' ', list: ['raz', 'dwa'], days: polish }, ['text.title is empty']],
		[
			'a missing plural form',
			{ title: 'Cześć {0}', list: ['raz', 'dwa'], days: { one: 'dzień', other: '{0} dni' } },
			['text.days.few is missing', 'text.days.many is missing'],
		],
		[
			'a plural form without its number',
			{ title: 'Cześć {0}', list: ['raz', 'dwa'], days: { ...polish, few: 'dni' } },
			['text.days.few has  for {0}'],
		],
		[
			'a form or key of its own',
			{ title: 'Cześć {0}', list: ['raz', 'dwa'], days: { ...polish, two: 'dwa dni' }, more: 'tak' },
			['text.days.two is never used', 'text.more is not in English'],
		],
	])('is found: %s', (_, texts, found) => {
		expect(gaps(english, texts, 'pl')).toEqual(found);
	});
});

describe('a text with a count', () => {
	it.each(Object.entries(SURFACES))('in English has plural forms if a noun follows its number: %s', (_, textsOf) => {
		const single = sentences(textsOf('en')).filter(([at]) => !PLURALS.has(at.split('.').at(-1) ?? ''));
		const counted = single.filter(([, text]) => /\{\d\} (?!(?:as|asks|has|is|was)\b)[a-z]+s\b/.test(text));
		expect(counted).toEqual([]);
	});

	it.each([
		['en', 1, 'And 1 more.'],
		['pl', 1, 'I jeszcze 1 połączenie.'],
		['pl', 3, 'I jeszcze 3 połączenia.'],
		['pl', 5, 'I jeszcze 5 połączeń.'],
		['pl', 22, 'I jeszcze 22 połączenia.'],
		['ar', 2, 'ومكالمتان أخريان.'],
		['ar', 3, 'و3 مكالمات أخرى.'],
		['ar', 11, 'و11 مكالمة أخرى.'],
		['pt', 1234, 'E mais 1.234 chamadas.'],
		['tr', 2, 'Ve 2 arama daha.'],
	] as const)('in %s, for %s, is "%s"', (language, count, text) => {
		expect(countText(textsIn(language).missed.more, count, language)).toBe(text);
	});
});

describe('the languages of the product', () => {
	it('are those of the widget’s files, its package, the demo and the documentation', async () => {
		const files = readdirSync(new URL('packages/widget/texts/', root));
		expect(files.map((file) => file.replace('.json', '')).sort()).toEqual([...languages].sort());
		const loaded = await Promise.all(languages.map(async (language) => (await loadTexts(language)).lang));
		expect(loaded).toEqual(languages);
		for (const language of languages) {
			expect(widgetTexts(language)).toMatchObject({ lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' });
			expect(read('local/console/page/demo.html')).toContain(`<a href="?lang=${language}" lang="${language}"`);
			for (const page of ['docs/widget.md', 'docs/leads.md']) expect(read(page)).toContain(`\`${language}\``);
		}
	});

	it.each([
		['DE', 'de'],
		['AT', 'de'],
		['FR', 'fr'],
		['MX', 'es'],
		['AE', 'ar'],
		['US', 'en'],
		['IT', 'it'],
		['NL', 'nl'],
		['BR', 'pt'],
		['PT', 'pt'],
		['PL', 'pl'],
		['TR', 'tr'],
		['SE', 'en'],
	] as const)('a new workspace in %s has the language %s', (region, language) => {
		const identity = {
			id: '1',
			name: 'Shop',
			region,
			time_zone: 'UTC',
			workspace_key: 'wk_1',
			created_at: '2026-11-22T09:00:00.000Z',
		};
		expect(newWorkspace(identity)).toMatchObject({ language });
	});
});
