import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { OperatorError } from '../ops/operator-error.ts';
import { formFault, STORED_FORM } from '../shared/domain/kernel/stored-form.ts';
import { unmarkedTable } from './unmarked-table.ts';

// A state directory says which form of records it holds, in a file of its own. A start that cannot work with what it finds refuses
// in one sentence and has touched nothing.

const MARKER = 'state.json';
const SERVICE = 'call-back-widget-service';
const Marker = z.object({ service: z.string(), form: z.number() });

/** What a stack keeps in its directory. A first start that was killed leaves only some of it. */
const OURS = new Set([
	`${MARKER}.new`,
	...[
		MARKER,
		'ca.pem',
		'inbox.pem',
		'inbox.key',
		'inbox.jsonl',
		'trusted.pem',
		'console.secret',
		'phone-network.secret',
	],
	...['phone-network.json', 'phones.jsonl', 'mail.jsonl', 'operator.json', 'stack.json', 'demo.json', 'cdk.out'],
	...['dynamodb.db', 'dynamodb.db-shm', 'dynamodb.db-wal', 'queues', 'keys', 'logs', 'pages'],
]);
/** What a stack that was up once cannot do without. */
const NEEDED = ['dynamodb.db', 'keys', 'queues', 'demo.json'];

const ADVICE = 'choose another directory with --state-dir';

/**
 * Refuses a directory that is not a stack's, not whole, or of a form that this release cannot read. `fresh`: what is in it is to be
 * forgotten, so it only has to be a stack's.
 */
export function checkState(state_dir: string, fresh: boolean): void {
	const names = existsSync(state_dir) ? readdirSync(state_dir) : [];
	if (names.length === 0) return;
	const fault = names.includes(MARKER) ? markedFault(state_dir, names, fresh) : unmarkedFault(state_dir, names, fresh);
	if (fault !== null) throw new OperatorError(fault);
}

function markedFault(state_dir: string, names: readonly string[], fresh: boolean): string | null {
	const marker = Marker.safeParse(contentOf(join(state_dir, MARKER))).data;
	if (marker === undefined) {
		if (fresh && isOurs(names)) return null;
		return `The state in ${state_dir} is incomplete: its ${MARKER} cannot be read. Restore it, or ${ADVICE}.`;
	}
	if (marker.service !== SERVICE) return `${state_dir} has the state of another stack, ${marker.service}: ${ADVICE}.`;
	if (fresh) return null;
	switch (formFault(marker.form)) {
		case 'newer':
			return `The state in ${state_dir} is of a newer release: its records have form ${marker.form}, and this one reads form ${STORED_FORM}. Start that release, or ${ADVICE}.`;
		case 'unknown':
			return `The records in ${state_dir} have a form that no release has, ${marker.form}: restore its ${MARKER}, or ${ADVICE}.`;
		case null:
			return incompleteFault(state_dir, names);
	}
}

/** A directory of the first release candidate or of an earlier commit has no marker. */
function unmarkedFault(state_dir: string, names: readonly string[], fresh: boolean): string | null {
	if (!isOurs(names)) {
		const other = names.find((name) => !OURS.has(name)) ?? '';
		return `${state_dir} has files that are no stack’s, such as ${other}: ${ADVICE}.`;
	}
	if (fresh) return null;
	const incomplete = incompleteFault(state_dir, names);
	if (incomplete !== null || !names.includes('dynamodb.db')) return incomplete;
	switch (unmarkedTable(state_dir)) {
		case 'readable':
			return null;
		case 'older':
			return `The records in ${state_dir} were written before the first release, and this one cannot read them: start the commit that wrote them, or ${ADVICE}.`;
		case 'another':
			return `The table in ${state_dir} is of another stack: ${ADVICE}.`;
		case 'broken':
			return `The state in ${state_dir} is incomplete: its dynamodb.db cannot be read. Restore it, or ${ADVICE}.`;
	}
}

function incompleteFault(state_dir: string, names: readonly string[]): string | null {
	const missing = names.includes('stack.json') ? NEEDED.find((name) => !names.includes(name)) : undefined;
	if (missing === undefined) return null;
	return `The state in ${state_dir} is incomplete: ${missing} is missing. Restore it, or ${ADVICE}.`;
}

const isOurs = (names: readonly string[]): boolean => names.every((name) => OURS.has(name));

function contentOf(file: string): unknown {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return null;
	}
}

/** Says in the directory which form of records it holds. Written as a whole, so that a kill leaves none or all of it. */
export function markState(state_dir: string): void {
	const file = join(state_dir, MARKER);
	if (existsSync(file)) return;
	mkdirSync(state_dir, { recursive: true });
	writeFileSync(`${file}.new`, `${JSON.stringify({ service: SERVICE, form: STORED_FORM }, null, '\t')}\n`, {
		mode: 0o600,
	});
	renameSync(`${file}.new`, file);
}
