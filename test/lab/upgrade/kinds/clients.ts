import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Packages } from '../around/packages.ts';
import { holds, type NewKind } from './held.ts';

const run = promisify(execFile);

/** Programs of customers, which keep the packages of the release: they know nothing of the stack that runs. */
export const clientsOf =
	(packages: Packages): NewKind =>
	(site, shop) => ({
		name: 'clients',
		late: async () => [
			holds('the packed client of the release', async () => {
				const program = join(import.meta.dirname, '../use-client.js');
				const { base_url } = site.stack();
				const url = site.receivers.open('healthy');
				await run(process.execPath, [program, packages.client, base_url, shop.api_key, url]);
			}),
		],
	});
