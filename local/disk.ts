import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../ops/operator-error.ts';

export const OTHER_DIRECTORY = 'choose another directory with --state-dir';
const MB = 2 ** 20;

/** What is wrong with the disk and what to do about it: a sentence for each error code of the system. */
const FAULTS: Readonly<Record<string, string>> = {
	ENOSPC: 'the disk is full. Free some space',
	EDQUOT: 'the disk quota is used up. Free some space',
	EROFS: `the file system is read-only. Make it writable, or ${OTHER_DIRECTORY}`,
	EACCES: `this user may not use it. Change its permissions, or ${OTHER_DIRECTORY}`,
	EPERM: `this user may not use it. Change its permissions, or ${OTHER_DIRECTORY}`,
	EISDIR: 'a directory is in the place of a file. Move it away',
	ENOTDIR: `a file is in the place of a directory. Move it away, or ${OTHER_DIRECTORY}`,
	EIO: `the disk does not work. Replace it, or ${OTHER_DIRECTORY}`,
	ENAMETOOLONG: `its name is too long. Shorten it, or ${OTHER_DIRECTORY}`,
};

/** A sentence that names the file, for an error of the file system. Null for any other error. */
export function diskFault(error: unknown): string | null {
	if (typeof error !== 'object' || error === null || !('code' in error)) return null;
	const fault = FAULTS[String(error.code)];
	if (fault === undefined) return null;
	const place = ['path', 'address'].flatMap((name) => Reflect.get(error, name) ?? []).map(String)[0];
	return `${place ?? 'A file'}: ${fault}, then run npm start again.`;
}

/** The operations of the file system that a start needs. Tests replace them. */
export type Disk = {
	/** Throws if this process may not read and write the path. */
	access(path: string): void;
	freeBytes(path: string): number;
};
export const DISK: Disk = {
	access: (path) => accessSync(path, constants.R_OK | constants.W_OK),
	freeBytes(path) {
		const { bavail, bsize } = statfsSync(path);
		return bavail * bsize;
	},
};

function checkAccess(path: string, disk: Disk): void {
	try {
		disk.access(path);
	} catch (error) {
		throw new OperatorError(diskFault(error) ?? `${path} cannot be used (${String(error)}): ${OTHER_DIRECTORY}.`);
	}
}

/** Refuses a state directory to which this process cannot write, or whose disk has less than `neededMb` free. */
export function checkDisk(stateDir: string, neededMb: number, disk: Disk): void {
	let place = stateDir;
	while (!existsSync(place)) place = dirname(place);
	if (!statSync(place).isDirectory()) throw new OperatorError(`${place} is no directory: ${OTHER_DIRECTORY}.`);
	checkAccess(place, disk);
	if (place === stateDir) {
		for (const name of readdirSync(stateDir, { recursive: true })) checkAccess(join(stateDir, String(name)), disk);
	}
	const fault = spaceFault(place, neededMb, disk);
	if (fault !== null) throw new OperatorError(`${fault} Or ${OTHER_DIRECTORY}.`);
}

/** A sentence if the disk of a place has less than `neededMb` free. Null if it has enough. */
export function spaceFault(place: string, neededMb: number, disk = DISK): string | null {
	const freeMb = Math.floor(disk.freeBytes(place) / MB);
	return freeMb >= neededMb
		? null
		: `The disk of ${place} has ${freeMb} MB left, and the stack needs ${neededMb} MB: free some space.`;
}
