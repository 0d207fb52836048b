/** An element of the small subset of XML in which call instructions are written. */
export type Element = {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: readonly Element[];
	readonly text: string;
};

const XML_CHARS = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;
const TOKEN = /<(\/?)([A-Za-z]+)((?: [A-Za-z]+="[^"<]*")*)(\/?)>|([^<]+)/y;
const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Parses call instructions strictly. Throws if they are not well-formed, or if they contain what call instructions never use
 * (comments, CDATA, doctypes, processing instructions).
 */
export function readMarkup(xml: string): Element {
	if (!XML_CHARS.test(xml)) throw new Error('a character that XML does not allow');
	const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
	if (!xml.startsWith(declaration)) throw new Error('no declaration');
	type Open = { name: string; attributes: Record<string, string>; children: Element[]; text: string };
	const top: Open = { name: '', attributes: {}, children: [], text: '' };
	const open: Open[] = [top];
	TOKEN.lastIndex = declaration.length;
	while (TOKEN.lastIndex < xml.length) {
		const at = TOKEN.lastIndex;
		const match = TOKEN.exec(xml);
		const current = open.at(-1);
		if (match === null || current === undefined) throw new Error(`not well-formed at ${at}`);
		const [, closes, name = '', attributes = '', isEmpty, text] = match;
		if (text !== undefined) current.text += decoded(text);
		else if (closes) closeElement(open, name);
		else {
			const element: Open = { name, attributes: attributesOf(attributes), children: [], text: '' };
			current.children.push(element);
			if (!isEmpty) open.push(element);
		}
	}
	const [root] = top.children;
	if (open.length !== 1 || root === undefined || top.children.length > 1 || top.text.trim() !== '') {
		throw new Error('not one closed element');
	}
	return root;
}

function closeElement(open: { name: string }[], name: string): void {
	if (open.length < 2 || open.pop()?.name !== name) throw new Error(`${name} closes nothing`);
}

function attributesOf(text: string): Record<string, string> {
	const attributes: Record<string, string> = {};
	for (const [, name = '', value = ''] of text.matchAll(/ ([A-Za-z]+)="([^"]*)"/g)) {
		if (name in attributes) throw new Error(`${name} twice`);
		attributes[name] = decoded(value);
	}
	return attributes;
}

function decoded(text: string): string {
	return text.replace(/&(?:([a-z]+);|#x([0-9A-Fa-f]+);)?/g, (whole, name?: string, hex?: string) => {
		const character = name === undefined ? hex && String.fromCodePoint(Number.parseInt(hex, 16)) : named[name];
		if (!character) throw new Error(`a bare or unknown ${whole}`);
		return character;
	});
}
