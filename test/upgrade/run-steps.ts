import type { Bench } from './bench/bench.ts';
import type { Effect } from './bench/outside.ts';
import { present } from './bench/parts.ts';
import type { Step } from './steps.ts';

/** The result of a step: the response, and what the service sent to the outside. */
export type Outcome = {
	readonly response: {
		readonly status: number;
		readonly headers: Readonly<Record<string, string>>;
		readonly body: unknown;
	};
	readonly effects: readonly Effect[];
};

/** Response headers on which clients and browsers act. */
const HEADERS = ['location', 'idempotency-replayed', 'cancel-secret', 'access-control-allow-origin', 'set-cookie'];

export async function runStep(bench: Bench, step: Step): Promise<Outcome> {
	const before = bench.effects.length;
	if (step.pass_ms !== undefined) await bench.pass(step.pass_ms, step.sweep_every_ms ?? null);
	const response = await responseTo(bench, step);
	// The effects of the messages that a request sends belong to the request's step. Until the first step that waits, no message
	// is handled: the messages that were in the queues at the start stay there.
	if ('waits' in step || bench.worksAtOnce) await bench.settle();
	if ('waits' in step) bench.worksAtOnce = true;
	present.now_ms += 10;
	return { response, effects: bench.effects.slice(before) };
}

async function responseTo(bench: Bench, step: Step): Promise<Outcome['response']> {
	if ('waits' in step) return { status: 0, headers: {}, body: null };
	if ('ops' in step) {
		const { code, out } = await bench.ops(...step.ops, '--json');
		return { status: code, headers: {}, body: jsonOr(out) };
	}
	if ('message' in step) {
		const { queue, body } = step.message;
		return { status: (await bench.read(queue, body)) ? 0 : 1, headers: {}, body: null };
	}
	const { status, headers, cookies, body } = await bench.ask(step.request);
	const all: Readonly<Record<string, string>> = {
		...headers,
		...(cookies.length > 0 && { 'set-cookie': cookies.join('; ') }),
	};
	const kept = HEADERS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
	return { status, headers: Object.fromEntries(kept), body: pageOr(body) };
}

function jsonOr(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/**
 * The parts of a body that have to stay the same. The words of a page may change, so only its problem and the secrets that it
 * shows are compared. Of call instructions, only the verbs are compared.
 */
function pageOr(body: string): unknown {
	if (body.startsWith('<?xml')) return { verbs: verbsIn(body) };
	if (!body.startsWith('<')) return jsonOr(body);
	const problem = /<meta name="problem" content="(\w+)">/.exec(body)?.[1] ?? null;
	return { problem, secrets: body.match(/whsec_[\w+/=-]+|cbk_live_\w+/g) ?? [] };
}

/**
 * The elements of call instructions for a phone. Repeated elements count once, because each response may choose how often and how
 * long a prompt asks. A conference also has its name.
 */
function verbsIn(markup: string): readonly object[] {
	const elements = [...markup.matchAll(/<(\w+)([^>]*?)\/?>([^<]*)/g)].map(
		([, verb = '', attributes = '', text = '']) => ({
			verb,
			attributes: attributes.replace(/ timeout="\d+"/, ''),
			...(verb === 'Conference' && { name: text }),
		}),
	);
	return [...new Map(elements.map((element) => [JSON.stringify(element), element])).values()];
}

/** Fields with words for people. They may change at any time. */
const WORDS = new Set(['say', 'detail', 'title', 'hint', 'message', 'type']);

/**
 * The differences between the recorded outcome and this one. Additions are no differences. `known`: ids and secrets that existed
 * before the steps.
 */
export function differences(recorded: Outcome, now: Outcome, known: string): readonly string[] {
	const plain = (value: unknown): unknown => JSON.parse(masked(JSON.stringify(value), known));
	const left = now.effects.map(plain);
	const missing = recorded.effects.map(plain).flatMap((effect) => {
		const tries = left.map((each) => different(effect, each, 'what left the service'));
		const found = tries.findIndex((each) => each.length === 0);
		if (found >= 0) left.splice(found, 1);
		if (found >= 0) return [];
		const nearest = tries.reduce<readonly string[]>(
			(best, each) => (each.length < best.length ? each : best),
			tries[0] ?? [],
		);
		return [`${nameOf(effect)} is missing`, ...nearest.slice(0, 3)];
	});
	const more = left.map((effect) => `${nameOf(effect)} is not of the release`);
	return [...different(plain(recorded.response), plain(now.response), ''), ...missing, ...more];
}

const nameOf = (effect: unknown): string => JSON.stringify(effect).slice(0, 160);

/**
 * Values that the step itself creates: ids, signing secrets, API keys, the secrets of links and cookies, and the URLs of legs.
 */
const NEW =
	/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b|whsec_[\w+/=-]+|cbk_live_\w+|\b[\w-]{43}\b|(?<=\.)[\w-]{22}(?=\/(?:status|instructions)|")/g;
const masked = (text: string, known: string): string =>
	text.replace(NEW, (found) => (known.includes(found) ? found : '<new>'));

/** Headers that contain a list of signatures. A receiver looks for the signature that it can verify. */
const SIGNATURES = new Set(['service-signature', 'webhook-signature']);

function different(recorded: unknown, now: unknown, at: string, name = ''): readonly string[] {
	const place = at === '' ? 'it' : at;
	if (SIGNATURES.has(name) && typeof recorded === 'string' && typeof now === 'string') {
		const missing = recorded.split(/[, ]/).filter((part) => !now.split(/[, ]/).includes(part));
		return missing.length === 0 ? [] : [`${place} lacks ${missing.join(' ')}`];
	}
	if (Array.isArray(recorded) && Array.isArray(now)) {
		if (recorded.length !== now.length) return [`${place} has ${now.length} entries, not ${recorded.length}`];
		return recorded.flatMap((each, n) => different(each, now[n], `${at}[${n}]`));
	}
	if (typeof recorded === 'object' && recorded !== null && typeof now === 'object' && now !== null) {
		const fields = new Map<string, unknown>(Object.entries(now));
		return Object.entries(recorded).flatMap(([member, value]) =>
			WORDS.has(member) ? [] : different(value, fields.get(member), at === '' ? member : `${at}.${member}`, member),
		);
	}
	return recorded === now ? [] : [`${place} is ${JSON.stringify(now) ?? 'missing'}, not ${JSON.stringify(recorded)}`];
}
