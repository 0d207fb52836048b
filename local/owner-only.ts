import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Lets only the owner read a directory, and everything that this process and its children write from now on. */
export function ownerOnly(directory: string): void {
	process.umask(0o077);
	chmodSync(directory, 0o700);
	for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
		if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o600);
		if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700);
	}
}
