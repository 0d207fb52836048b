import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import * as z from 'zod/mini';
import { eventually } from '../../../support/stack/api.ts';
import { bearer } from '../../../support/webhooks/customers.ts';
import { isBusy } from '../around/running.ts';
import type { Site } from '../around/site.ts';
import { holds, type NewKind } from './held.ts';

// Checks what `npm run listen` keeps: a file beside the stack's own files, and an endpoint of the demo shop.

const Started = z.object({ endpoint_id: z.string(), secret: z.string() });
type Started = z.infer<typeof Started>;

/** Starts `npm run listen` of the running code, and stops it as soon as it is ready. Null if the stack did not answer in time. */
function listen(site: Site): Promise<Started | null> {
	const { code, state_dir } = site.stack();
	const { folder, node } = code.program;
	const args = ['local/listen/listen.ts', '--forward-to', 'http://127.0.0.1:9', '--state-dir', state_dir, '--json'];
	return new Promise((resolve, reject) => {
		const program = execFile(node, args, { cwd: folder }, (error, out, err) => {
			if (error === null) resolve(Started.parse(JSON.parse(out.split('\n')[0] ?? '')));
			else if (isBusy(err)) resolve(null);
			else reject(new Error(`npm run listen: ${err}`));
		});
		program.stdout?.once('data', () => program.kill('SIGINT'));
	});
}

/** Only one `listen` can run on a stack, but the checks of one filling run beside the next filling. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
	const done = turn.then(work);
	turn = done.catch(() => undefined);
	return done;
}

export const listening: NewKind = (site) => ({
	name: 'listen',
	async early() {
		const started = () => eventually('npm run listen', () => listen(site));
		const before = await inTurn(started);
		return [
			holds('the endpoint, which is disabled between two runs, and its secret', () =>
				inTurn(async () => {
					const { api_key } = site.stack();
					const { json } = await site.api(`/webhook-endpoints/${before.endpoint_id}`, { headers: bearer(api_key) });
					assert.equal(json.data.status, 'disabled');
					assert.deepEqual(await started(), before);
				}),
			),
		];
	},
});
