import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { writeWhole } from './write-whole.ts';

/** The content of the file about the demo workspace. The file is in the state directory. */
export const DemoFile = z.object({
	workspace_id: z.string(),
	workspace_key: z.string(),
	api_key: z.string(),
	allowed_origin: z.string(),
	inbox_url: z.string(),
	/** The mail address of the owner, who may sign in at the desk. */
	desk_owner: z.string(),
	inbox_secret: z.string(),
});
export type Demo = Readonly<z.infer<typeof DemoFile>>;

/** The content of the file. Null if there is no such file. */
export function readDemo(file: string): Demo | null {
	return existsSync(file) ? DemoFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

export function writeDemo(file: string, demo: Demo): void {
	writeWhole(file, JSON.stringify(demo, null, '\t'));
}
