import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Resource, Template } from '../../../local/template.ts';

const FUNCTION = 'AWS::Lambda::Function';
const ASSET = 'aws:asset:path';

/** Whether a function still belongs to the former release in a half-way deployment. The seed decides for each function. */
export const isFormer = (seed: number, functionId: string): boolean =>
	(createHash('sha256').update(`${seed} ${functionId}`).digest()[0] ?? 0) < 128;

/** Reads the template in a folder of CDK output. */
export const templateIn = (cdkOut: string): Template =>
	JSON.parse(readFileSync(join(cdkOut, 'CallBack.template.json'), 'utf8'));

/** A synthesised stack: its template, and the folder with the code of its functions. */
export type Synthesised = { readonly template: Template; readonly assets: string };

/**
 * Today's template in the middle of its deployment: some functions have the former release's code and settings. All roles are
 * today's, because CloudFormation changes a role before the functions that depend on it.
 */
export function mixed(now: Synthesised, former: Synthesised, seed: number): Template {
	const Resources = Object.fromEntries(
		Object.entries(now.template.Resources).map(([id, resource]) => {
			const before = former.template.Resources[id];
			const stays = resource.Type === FUNCTION && before?.Type === FUNCTION && isFormer(seed, id);
			return [id, stays ? formerFunction(before, resource, relative(now.assets, former.assets)) : resource] as const;
		}),
	);
	return { ...now.template, Resources };
}

/** `path`: the path from the folder of today's code to the folder of the former code. */
function formerFunction(before: Resource, now: Resource, path: string): Resource {
	return {
		...before,
		Properties: { ...before.Properties, Role: now.Properties?.['Role'] },
		Metadata: { ...before.Metadata, [ASSET]: join(path, String(before.Metadata?.[ASSET])) },
	};
}
