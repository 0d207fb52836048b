import { visibleLine } from '../kernel/visible-line.ts';

/** Where a call or a lead comes from, in the form in which the desk's figures name it. */
export type Source = {
	/** The page's path, such as `/pricing`. */
	readonly path: string;
	/** `utm_source` and `utm_campaign`, such as `google / spring`. Null if the address has neither. */
	readonly campaign: string | null;
};

/**
 * Longest name of a path and of a campaign, in characters. Longer names are cut, so that the record with a day's names
 * stays small.
 */
const MOST_OF_PATH = 80;
const MOST_OF_CAMPAIGN = 40;
const NOT_GIVEN = '–';

const ID = ':id';
const MAIL = ':mail';
const MAIL_ADDRESS = /[^\s@/]+@[^\s@/]+/gu;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** Seven or more digits of any script, with the characters that people write between the digits of a phone number. */
const PHONE = /\+?\(?\p{Nd}(?:[\s.()\p{Pd}\u2212]{0,3}\p{Nd}){6,}/gu;
/** Five or more digits. They may be the number of an order or of an article, but they are too long for a year. */
const LONG_NUMBER = /\p{Nd}{5,}/gu;
/** A segment of a path that has only digits and punctuation, such as `2026` or `12-3`. */
const NUMBER = /^[\p{Nd}\s.,()\p{Pd}+]*\p{Nd}[\p{Nd}\s.,()\p{Pd}+]*$/u;
/**
 * Texts that were made by a program and have digits among the letters: a hash, a ULID, or a token with letters of both
 * cases.
 */
const TOKENS = [/^[\da-f]{16,}$/i, /^[\da-z]{24,}$/i, /^(?=.*[A-Z])(?=.*[a-z])[\w~-]{20,}$/];
const isToken = (segment: string): boolean =>
	/\d\D*\d\D*\d/.test(segment) && TOKENS.some((token) => token.test(segment));

/**
 * The source of a stored page address. Identifiers, which differ for every visitor or article, become `:id`, and mail
 * addresses become `:mail`. So pages of one kind are counted together, and no stored path or campaign identifies a person.
 */
export function sourceOf(sourceUrl: string): Source {
	const page = URL.canParse(sourceUrl) ? new URL(sourceUrl) : null;
	return { path: pathOf(page?.pathname ?? '/'), campaign: campaignOf(page?.searchParams ?? new URLSearchParams()) };
}

function pathOf(pathname: string): string {
	const segments = visibleLine(decoded(pathname)).split('/').filter(Boolean).map(folded);
	return cut(`/${segments.join('/')}`, MOST_OF_PATH);
}

/** The path without escapes, as people read it. A path whose escapes are not UTF-8 is returned unchanged. */
function decoded(pathname: string): string {
	try {
		return decodeURIComponent(pathname).normalize('NFC');
	} catch {
		return pathname;
	}
}

function folded(segment: string): string {
	if (NUMBER.test(segment) || isToken(segment)) return ID;
	return withoutPeople(segment.replaceAll(UUID, ID)).replaceAll(LONG_NUMBER, ID);
}

const withoutPeople = (text: string): string => text.replaceAll(MAIL_ADDRESS, MAIL).replaceAll(PHONE, ID);

function campaignOf(query: URLSearchParams): string | null {
	const [source, campaign] = (['utm_source', 'utm_campaign'] as const).map((name) => {
		const [first] = query.getAll(name).flatMap((value) => visibleLine(value.normalize('NFC')) || []);
		return first === undefined ? null : cut(withoutPeople(first.replaceAll(UUID, ID)), MOST_OF_CAMPAIGN);
	});
	if (!source && !campaign) return null;
	return campaign ? `${source ?? NOT_GIVEN} / ${campaign}` : (source ?? null);
}

/** The text with at most `most` characters. A text that was longer ends in an ellipsis. */
function cut(text: string, most: number): string {
	const characters = [...text];
	return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
