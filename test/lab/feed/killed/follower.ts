import { appendFileSync } from 'node:fs';
import { callBackClient } from '../../../../packages/client/client.ts';

// A customer's program that follows the events of a workspace. It writes each page with its cursor to a file, as one line of
// JSON.

const [base_url = '', api_key = '', file = '', cursor = ''] = process.argv.slice(2);
const { events } = callBackClient({ base_url, api_key });
const from = cursor === '' ? {} : { cursor };
for await (const page of events.follow({ ...from, limit: 20, interval_ms: 500 })) {
	const ids = page.events.map(({ id }) => id);
	appendFileSync(file, `${JSON.stringify({ ids, cursor: page.cursor })}\n`);
}
