import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { OperatorError } from '../ops/operator-error.ts';
import { formFault, STORED_FORM } from '../shared/domain/kernel/stored-form.ts';
import { checkDisk, DISK, type Disk, OTHER_DIRECTORY } from './disk.ts';
import { isOfOthers, isOurs, stateFault } from './state-files.ts';
import { unmarkedTable } from './unmarked-table.ts';
import { writeOnce } from './write-whole.ts';

// A file in the state directory says which form the records have. If a start cannot work with the content of the directory,
// the start refuses with one sentence and changes nothing.

const MARKER = 'state.json';
const SERVICE = 'call-back-widget-service';
/**
 * How much free space a start needs. A first start writes 15 MB. With `fresh`, the space is not checked, because the
 * content of the directory is deleted.
 */
const NEEDED_MB = 64;
const Marker = z.object({ service: z.string(), form: z.number() });

/**
 * Refuses a directory that does not belong to a stack, is not complete, or has a form that this release cannot read. With
 * `fresh`, the content of the directory will be deleted, so the directory only has to belong to a stack.
 */
export function checkState(stateDir: string, fresh: boolean, disk: Disk = DISK): void {
	checkDisk(stateDir, fresh ? 0 : NEEDED_MB, disk);
	const names = namesIn(stateDir);
	if (names.length === 0) return;
	const fault = names.includes(MARKER) ? markedFault(stateDir, names, fresh) : unmarkedFault(stateDir, names, fresh);
	if (fault !== null) throw new OperatorError(fault);
}

/** The files of the directory, without those of long runs and tests. */
const namesIn = (stateDir: string): readonly string[] =>
	existsSync(stateDir) ? readdirSync(stateDir).filter((name) => !isOfOthers(name)) : [];

/** Deletes the state. What long runs and tests keep beside it stays. */
export function deleteState(stateDir: string): void {
	for (const name of namesIn(stateDir)) rmSync(join(stateDir, name), { recursive: true, force: true });
}

function markedFault(stateDir: string, names: readonly string[], fresh: boolean): string | null {
	const marker = Marker.safeParse(contentOf(join(stateDir, MARKER))).data;
	if (marker === undefined) {
		if (fresh && names.every(isOurs)) return null;
		return `The state in ${stateDir} is incomplete: its ${MARKER} cannot be read. Restore it, or ${OTHER_DIRECTORY}.`;
	}
	if (marker.service !== SERVICE)
		return `${stateDir} has the state of another stack, ${marker.service}: ${OTHER_DIRECTORY}.`;
	if (fresh) return null;
	switch (formFault(marker.form)) {
		case 'newer':
			return (
				`The state in ${stateDir} is of a newer release: its records have form ${marker.form}, ` +
				`and this one reads form ${STORED_FORM}. Start that release, or ${OTHER_DIRECTORY}.`
			);
		case 'unknown':
			return `The records in ${stateDir} have a form that no release has, ${marker.form}: restore its ${MARKER}, or ${OTHER_DIRECTORY}.`;
		case null:
			return damage(stateDir, names);
	}
}

/**
 * What is wrong with a directory without the file `MARKER`. Null if nothing is wrong. Such a directory comes from the first
 * release candidate or from an earlier commit.
 */
function unmarkedFault(stateDir: string, names: readonly string[], fresh: boolean): string | null {
	const other = names.find((name) => !isOurs(name));
	if (other !== undefined) {
		return `${stateDir} has files that belong to no stack, such as ${other}: ${OTHER_DIRECTORY}.`;
	}
	if (fresh) return null;
	const damaged = damage(stateDir, names);
	if (damaged !== null || !names.includes('dynamodb.db')) return damaged;
	switch (unmarkedTable(stateDir)) {
		case 'readable':
			return null;
		case 'older':
			return (
				`The records in ${stateDir} were written before the first release, and this one cannot read them: ` +
				`start the commit that wrote them, or ${OTHER_DIRECTORY}.`
			);
		case 'another':
			return `The table in ${stateDir} is of another stack: ${OTHER_DIRECTORY}.`;
		case 'broken':
			return `The state in ${stateDir} is incomplete: its dynamodb.db cannot be read. Restore it, or ${OTHER_DIRECTORY}.`;
	}
}

function damage(stateDir: string, names: readonly string[]): string | null {
	const fault = stateFault(stateDir, names);
	return fault === null ? null : `The state in ${stateDir} is incomplete: ${fault}`;
}

function contentOf(file: string): unknown {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return null;
	}
}

/** Writes the marker file, which says what form the records in the directory have. */
export function markState(stateDir: string): void {
	mkdirSync(stateDir, { recursive: true });
	const marker = { service: SERVICE, form: STORED_FORM };
	writeOnce(join(stateDir, MARKER), () => `${JSON.stringify(marker, null, '\t')}\n`);
}
