/**
 * The indented text may be this many times as long as the original text. Without a limit, deeply nested lists would fill a
 * page.
 */
const MOST_GROWTH = 4;
/**
 * The indented text may also have this many characters more than that limit, because a short text grows more in proportion.
 */
const ALWAYS = 200;
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g;

/**
 * JSON with one line for each value, indented by two spaces. Each value stays as it is written, because reading and writing
 * a large number would change it. A text that is not a JSON object or array, or that would become too long, is returned
 * unchanged.
 */
export function indentedJson(text: string): string {
	if (!isJsonOfParts(text)) return text;
	let depth = 0;
	let indented = '';
	let previous = '';
	for (const [token] of text.matchAll(TOKEN)) {
		if (isEnd(token)) depth -= 1;
		indented += `${spaceBetween(previous, token, depth)}${token}`;
		if (isStart(token)) depth += 1;
		if (indented.length > text.length * MOST_GROWTH + ALWAYS) return text;
		previous = token;
	}
	return indented;
}

const isStart = (token: string): boolean => token === '[' || token === '{';
const isEnd = (token: string): boolean => token === ']' || token === '}';

function spaceBetween(previous: string, token: string, depth: number): string {
	if (previous === ':') return ' ';
	const isEmpty = isStart(previous) && isEnd(token);
	const isNewLine = previous === ',' || isStart(previous) || isEnd(token);
	return isNewLine && !isEmpty ? `\n${'  '.repeat(depth)}` : '';
}

function isJsonOfParts(text: string): boolean {
	try {
		const parsed: unknown = JSON.parse(text);
		return typeof parsed === 'object' && parsed !== null;
	} catch {
		return false;
	}
}
