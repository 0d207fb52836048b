import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Only the owner may read a directory and all that this process and its children write from now on. */
export function ownerOnly(directory: string): void {
	process.umask(0o077);
	chmodSync(directory, 0o700);
	for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
		if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o600);
		if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700);
	}
}
