import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Packages } from '../around/packages.ts';
import { holds, type NewKind } from './held.ts';

const run = promisify(execFile);

/** Programs of customers that use packages of the release, whatever stack is running. */
export const clientsOf =
	({ client, generated }: Packages): NewKind =>
	(site, shop) => {
		const uses = (what: string, program: string, moduleFile: string | null) => {
			if (moduleFile === null) return [];
			const use = async () => {
				const file = join(import.meta.dirname, '..', program);
				const url = site.receivers.open('healthy');
				await run(process.execPath, [file, moduleFile, site.stack().base_url, shop.api_key, url]);
			};
			return [holds(what, use)];
		};
		return {
			name: 'clients',
			late: async () => [
				...uses('the packed client of the release', 'use-client.js', client),
				...uses('a client generated from its API document', 'use-generated.js', generated),
			],
		};
	};
