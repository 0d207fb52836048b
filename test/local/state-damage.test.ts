import { randomBytes } from 'node:crypto';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diskFault } from '../../local/disk.ts';
import { startStack } from '../../local/stack.ts';
import { KEYS } from '../../local/state-files.ts';
import { checkState } from '../../local/state-form.ts';
import { refusal } from '../support/stack/refused-start.ts';
import { STACK_OPTIONS } from '../support/stack/stack.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Damages each file of a state directory as a person, a full disk or another program might.

const all = temporaryDirectory('state-damage-');
const whole = join(all, 'whole');
let templateKeys: readonly string[] = [];
let copies = 0;

beforeAll(async () => {
	const stack = await startStack({ ...STACK_OPTIONS, state_dir: whole });
	await stack.stop();
	const template: { Resources: Record<string, { Type: string }> } = JSON.parse(
		readFileSync(join(whole, 'cdk.out/CallBack.template.json'), 'utf8'),
	);
	templateKeys = Object.entries(template.Resources).flatMap(([id, { Type }]) => (Type === 'AWS::KMS::Key' ? id : []));
});
afterAll(() => rmSync(all, { recursive: true, force: true }));

/** Copies the whole directory, except what each start builds. */
function copy(): string {
	copies += 1;
	const directory = join(all, String(copies));
	cpSync(whole, directory, { recursive: true, filter: (path) => !/cdk\.out$|pages$/.test(path) });
	return directory;
}

/** Moves the data of the log (-wal) into the table's own file. */
function settle(file: string): void {
	using database = new DatabaseSync(file);
	database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

type Damage = (file: string) => void;
const missing: Damage = (file) => rmSync(file, { recursive: true });
const empty: Damage = (file) => writeFileSync(file, '');
const cutOff: Damage = (file) => truncateSync(file, Math.floor(statSync(file).size / 2));
const garbage: Damage = (file) => writeFileSync(file, randomBytes(2000));
const replaced: Damage = (file) => {
	const isDirectory = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
	rmSync(file, { recursive: true, force: true });
	if (isDirectory) writeFileSync(file, '');
	else mkdirSync(file);
};
const DAMAGES = { missing, empty, cutOff, garbage, replaced };
type DamageName = keyof typeof DAMAGES;

const BROKEN = ['empty', 'cutOff', 'garbage', 'replaced'] as const;
const LOST = ['missing', ...BROKEN] as const;
const KEY_FILES = KEYS.map(({ name }) => `keys/${name}`);
const CERTIFICATES = ['inbox.key', 'inbox.pem', 'ca.pem'];

/** For each file, the kinds of damage that make a start refuse the directory. */
const REFUSED: readonly (readonly [string, readonly DamageName[]])[] = [
	['state.json', BROKEN],
	['demo.json', LOST],
	['dynamodb.db', LOST],
	['dynamodb.db-wal', ['missing', 'empty', 'replaced']],
	['queues', ['missing', 'replaced']],
	['queues/fauxqs.db', ['missing', 'cutOff', 'garbage', 'replaced']],
	['keys', ['missing', 'replaced']],
	...KEY_FILES.map((name) => [name, LOST] as const),
	['console.secret', BROKEN],
	['phone-network.secret', BROKEN],
	['inbox.key', BROKEN],
	['inbox.pem', LOST],
	['ca.pem', LOST],
	['inbox.jsonl', ['replaced']],
	['mail.jsonl', ['replaced']],
	['phones.jsonl', ['replaced']],
	['phone-network.json', ['replaced']],
	['trusted.pem', ['replaced']],
	['operator.json', ['replaced']],
	['stack.json', ['replaced']],
	['logs', ['replaced']],
];
const rows = REFUSED.flatMap(([name, damages]) => damages.map((damage) => [name, damage] as const));

describe('a start refuses a damaged state directory in a sentence that names the file, and touches nothing', () => {
	it.each(rows)('%s: %s', async (name, damage) => {
		const directory = copy();
		const file = join(directory, name);
		if (name === 'dynamodb.db') settle(file);
		DAMAGES[damage](file);
		const words = await refusal(directory);
		expect(words).toMatch(/^The state in \S+ is incomplete: /);
		expect(words.split(' is incomplete: ')[1]).toContain(name);
		expect(words).toMatch(/(Restore (it|both), or choose another directory with --state-dir|makes (an)?others?)\.$/);
		expect(words.split('\n')).toHaveLength(1);
	});

	it('and names the keys as the template does', () => {
		expect(templateKeys).toEqual(expect.arrayContaining(KEYS.map(({ name }) => name.split('.')[0])));
	});
});

it('a start recreates the files that it can, and reads the intact lines of damaged files', async () => {
	const directory = copy();
	const lost = ['console.secret', 'phone-network.secret', 'trusted.pem', 'operator.json', ...CERTIFICATES, 'logs'];
	for (const name of lost) rmSync(join(directory, name), { recursive: true });
	rmSync(join(directory, 'dynamodb.db-shm'), { force: true });
	writeFileSync(join(directory, 'demo.json.new'), '{ "half');
	for (const name of ['inbox.jsonl', 'mail.jsonl', 'phones.jsonl', 'phone-network.json']) {
		writeFileSync(join(directory, name), `null\n5\n{}\n[]\n"text"\n{ "half\n${randomBytes(100).toString('latin1')}`);
	}
	const stack = await startStack({ ...STACK_OPTIONS, state_dir: directory });
	await stack.stop();
	expect(lost.filter((name) => !existsSync(join(directory, name)))).toEqual([]);
});

describe('a start checks the disk before it changes anything', () => {
	const rooted = process.getuid?.() === 0;
	const disk = { access: () => undefined, freeBytes: () => 2 ** 40 };
	const denied = (code: string, name: string) => ({
		...disk,
		access(path: string) {
			if (path.endsWith(name)) throw Object.assign(new Error(code), { code, path });
		},
	});

	it.each([
		['full', { ...disk, freeBytes: () => 3 * 2 ** 20 }, /has 3 MB left, and the stack needs 64 MB: free some space/],
		['read-only', denied('EROFS', 'refused'), /refused: the file system is read-only/],
		['not ours', denied('EACCES', 'demo.json'), /demo.json: this user may not use it/],
	])('and refuses a disk that is %s', (_, answers, words) => {
		const directory = join(all, 'refused');
		cpSync(whole, directory, { recursive: true });
		expect(() => checkState(directory, false, answers)).toThrow(words);
	});

	it('and refuses a file in the place of the directory', async () => {
		const file = join(all, 'a-file');
		writeFileSync(file, '');
		for (const place of [file, join(file, 'below')]) {
			await expect(startStack({ ...STACK_OPTIONS, state_dir: place })).rejects.toThrow(`${file} is no directory`);
		}
	});

	(rooted ? it.skip : it)('and refuses files that this user may not read', async () => {
		const directory = copy();
		chmodSync(join(directory, 'demo.json'), 0o200);
		expect(await refusal(directory)).toMatch(/demo.json: this user may not use it/);
	});
});

it.each([
	['ENOSPC', 'mail.jsonl: the disk is full. Free some space, then run npm start again.'],
	[
		'EROFS',
		'mail.jsonl: the file system is read-only. Make it writable, or choose another directory with --state-dir, then run npm start again.',
	],
])('an error of the disk while the stack runs is reported in a sentence: %s', (code, words) => {
	expect(diskFault(Object.assign(new Error(code), { code, path: 'mail.jsonl' }))).toBe(words);
	expect(diskFault(new Error(code))).toBeNull();
});
