import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { records } from '../shared/adapters/dynamodb/table.ts';
import { standInEndpoint } from './aws/stand-in.ts';
import { hasItem, isWhole, lookInto } from './databases.ts';
import { readDemo } from './demo-file.ts';
import { OTHER_DIRECTORY } from './disk.ts';
import { UNFINISHED } from './write-whole.ts';

// The content of a stack's directory, and what a start needs from it.

type StateFile = {
	readonly is: 'file' | 'directory';
	/** Whether the file must exist after an earlier start. True for a file that a new start cannot replace. */
	readonly isNeeded?: () => boolean;
	/** What is wrong with the content of the file, and what to do about it. Null if nothing is wrong. */
	readonly fault?: (stateDir: string) => string | null;
};

const RESTORE = `Restore it, or ${OTHER_DIRECTORY}.`;
const QUEUES = 'queues/fauxqs.db';
const always = (): boolean => true;

const REWRITTEN: StateFile = { is: 'file' };
/** A file with a JSON object on each line. If a line was cut off because the process was killed, readers skip that line. */
const LINES: StateFile = { is: 'file' };

/**
 * The keys of KMS, by the names that the template gives them. If a key is lost, everything that was encrypted with it is
 * lost, too.
 */
export const KEYS = [
	{ name: 'KeysMacB0FB5ABF.key', isRight: (content: Buffer) => content.length === 32 },
	{ name: 'KeysSecret88F3B70F.key', isRight: (content: Buffer) => content.length === 32 },
	{
		name: 'KeysNumber8F54780C.pem',
		isRight: (content: Buffer) => createPrivateKey(content).asymmetricKeyType === 'rsa',
	},
];

export const STATE_FILES: ReadonlyMap<string, StateFile> = new Map<string, StateFile>([
	['state.json', { is: 'file' }],
	['demo.json', { is: 'file', isNeeded: always, fault: demoFault }],
	['dynamodb.db', { is: 'file', isNeeded: () => !standInEndpoint('DYNAMODB'), fault: tableFault }],
	['dynamodb.db-shm', { is: 'file' }],
	['dynamodb.db-wal', { is: 'file' }],
	['queues', { is: 'directory', isNeeded: () => !standInEndpoint('SQS'), fault: queuesFault }],
	['keys', { is: 'directory', isNeeded: always, fault: keysFault }],
	['console.secret', secret('console.secret')],
	['phone-network.secret', secret('phone-network.secret')],
	['inbox.key', { is: 'file', fault: certificatesFault }],
	['inbox.pem', { is: 'file' }],
	['ca.pem', { is: 'file' }],
	['inbox.jsonl', LINES],
	['mail.jsonl', LINES],
	['phones.jsonl', LINES],
	['phone-network.json', LINES],
	['trusted.pem', REWRITTEN],
	['operator.json', REWRITTEN],
	['stack.json', REWRITTEN],
	['logs', { is: 'directory' }],
	['pages', { is: 'directory' }],
	['cdk.out', { is: 'directory' }],
	// `npm run listen` keeps its endpoint and secret there.
	['listen.json', REWRITTEN],
]);

/** Whether a stack may have written a file with this name. */
export const isOurs = (name: string): boolean => STATE_FILES.has(name.replace(new RegExp(`\\${UNFINISHED}$`), ''));

/** Whether a long run or a test keeps a folder with this name beside the stack's files in `.local`. A start leaves it alone. */
export const isOfOthers = (name: string): boolean => /^(browsers|mutants|upgrade|test-\w+)$/.test(name);

/** The first fault that would keep a start from working. Null if there is none. `names`: the files in the directory. */
export function stateFault(stateDir: string, names: readonly string[]): string | null {
	const wasUp = names.includes('stack.json');
	for (const [name, { is, isNeeded = () => false }] of STATE_FILES) {
		if (names.includes(name)) {
			if (statSync(join(stateDir, name)).isDirectory() !== (is === 'directory'))
				return `${name} is no ${is}. ${RESTORE}`;
		} else if (wasUp && isNeeded()) return `${name} is missing. ${RESTORE}`;
	}
	for (const [name, { fault }] of STATE_FILES) {
		const found = names.includes(name) ? (fault?.(stateDir) ?? null) : null;
		if (found !== null) return found;
	}
	return null;
}

/** Whether a file can be read. */
function reads(read: () => boolean): boolean {
	try {
		return read();
	} catch {
		return false;
	}
}

function secret(name: string): StateFile {
	return {
		is: 'file',
		fault: (stateDir) =>
			/^[0-9a-f]{48}$/.test(readFileSync(join(stateDir, name), 'utf8'))
				? null
				: `${name} is not 48 hexadecimal digits. Delete it: the next start makes another.`,
	};
}

function certificatesFault(stateDir: string): string | null {
	const content = (name: string): Buffer => readFileSync(join(stateDir, name));
	const fit = reads(() => {
		const certificate = new X509Certificate(content('inbox.pem'));
		const authority = new X509Certificate(content('ca.pem'));
		return (
			certificate.checkPrivateKey(createPrivateKey(content('inbox.key'))) && certificate.verify(authority.publicKey)
		);
	});
	if (fit) return null;
	return 'inbox.key, inbox.pem and ca.pem do not match. Delete all three: the next start makes others.';
}

function keysFault(stateDir: string): string | null {
	const wasUp = existsSync(join(stateDir, 'stack.json'));
	for (const { name, isRight } of KEYS) {
		const file = join(stateDir, 'keys', name);
		if (!existsSync(file)) {
			if (wasUp) return `keys/${name} is missing, and what was encrypted with it cannot be read without it. ${RESTORE}`;
		} else if (!reads(() => isRight(readFileSync(file)))) {
			return `keys/${name} is no longer the same key. ${RESTORE}`;
		}
	}
	return null;
}

function demoFault(stateDir: string): string | null {
	return reads(() => readDemo(join(stateDir, 'demo.json')) !== null) ? null : `demo.json cannot be read. ${RESTORE}`;
}

/**
 * What is wrong with the table. If the table's log (-wal) is missing, SQLite opens an older version of the table, which may
 * be empty.
 */
function tableFault(stateDir: string): string | null {
	if (standInEndpoint('DYNAMODB')) return null;
	const demo = readDemo(join(stateDir, 'demo.json'));
	const found = lookInto(join(stateDir, 'dynamodb.db'), (database) => {
		if (!isWhole(database)) return null;
		const { pk, sk } = records.workspace.key({ id: demo?.workspace_id ?? '' });
		return demo === null || hasItem(database, `S:${pk}`, `S:${sk}`);
	});
	if (found === null) return `dynamodb.db cannot be read. ${RESTORE}`;
	if (found) return null;
	return `dynamodb.db and dynamodb.db-wal lack the demo shop of demo.json. Restore both, or ${OTHER_DIRECTORY}.`;
}

function queuesFault(stateDir: string): string | null {
	const file = join(stateDir, QUEUES);
	if (standInEndpoint('SQS')) return null;
	if (!existsSync(file)) return existsSync(join(stateDir, 'stack.json')) ? `${QUEUES} is missing. ${RESTORE}` : null;
	return statSync(file).isFile() && lookInto(file, isWhole) === true ? null : `${QUEUES} cannot be read. ${RESTORE}`;
}
