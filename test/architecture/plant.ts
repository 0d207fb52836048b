import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files below `root`, by their paths. */
export function plant(root: string, tree: Readonly<Record<string, string>>): void {
	for (const [file, text] of Object.entries(tree)) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), text);
	}
}
