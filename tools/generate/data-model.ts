import { writeFileSync } from 'node:fs';
import { accessOf, type FunctionName, functionNames, isWorker, workers } from '../../infra/function-roles.ts';
import { counter, isListed, isTimed, listsByEndpoint, records, table } from '../../shared/adapters/dynamodb/table.ts';
import { routes } from '../../shared/contract/routes.ts';
import { DUE_SHARDS, type ListedName, type RecordName, statusLists } from '../../shared/ports/registry.ts';

const PLACEHOLDER = {
	id: '<id>',
	workspace_id: '<workspace id>',
	workspace_key: '<workspace key>',
	origin: '<origin>',
	lead_id: '<lead id>',
	subject_id: '<call or lead id>',
	delivery_id: '<delivery id>',
	call_id: '<call id>',
	kind: 'call.requested',
	number: 1,
	scope: '<hash of workspace, operation, resource and key>',
	number_hash: '<keyed hash of the number>',
	owner: '<call#id, lead#id, team#workspace#member id or former#workspace#member id>',
	subject: '<call#id or lead#id>',
	address: '<mail address>',
	recipient: '<chat or mail address>',
} as const;

export const MEANING: Readonly<Record<RecordName, string>> = {
	workspace: 'a customer: team, opening hours, limits, texts',
	workspace_key: 'the workspace of a public key',
	allowed_origin: 'an origin whose pages may use a workspace',
	site_use: 'the day on which a site last showed the widget',
	api_key: 'a secret key of a server, as a hash, with its permissions',
	api_key_use: 'the hour of a key’s last use',
	call: 'a call with its legs',
	callback_lead: 'a visitor’s request to be called later',
	event: 'what happened to a call or a lead, as webhooks send it',
	webhook_endpoint: 'an address that receives events, with its secrets and its circuit breaker',
	endpoint_roster: 'the number of a workspace’s endpoints, for the limit of 20',
	delivery: 'an event for one endpoint, with its last attempt',
	delivery_attempt: 'an earlier attempt of a delivery',
	idempotency: 'the response to a request with an Idempotency-Key',
	number_usage: 'how much a number was called today, and its live call',
	sealed_number: 'a visitor’s number, encrypted',
	team_number: 'a team member’s number, encrypted, with keyed hashes of it and of its beginnings',
	team_notice: 'a message to the team about a lead or an endpoint, until it is sent',
	consent: 'the text that a visitor agreed to',
	callback_link: 'the one-time links of a lead or a missed call',
	desk_address: 'a mail address that may use the desk of a workspace',
	desk_link: 'a link by mail to a desk',
	desk_mailbox: 'when an address last used such a link',
	desk_session: 'a person’s session at a desk',
	blocked_address: 'a mail address that the mail service sends nothing to',
	failing_recipient: 'a chat or a mail address to which each try to send a message has failed',
	desk_change: 'a line of a workspace’s audit list',
};

/** The columns of the matrix: the API's functions by who calls them, then each worker. */
const surfaceOf = (name: FunctionName): string =>
	routes.find(({ operation }) => operation === name)?.surface ?? 'widget';
const API_COLUMNS = { server: 'server API', widget: 'widget', team: 'team links', desk: 'desk', provider: 'callbacks' };
const columns: readonly { readonly title: string; readonly functions: readonly FunctionName[] }[] = [
	...Object.entries(API_COLUMNS).map(([surface, title]) => ({
		title,
		functions: functionNames.filter((name) => !isWorker(name) && surfaceOf(name) === surface),
	})),
	...workers.map((name) => ({ title: `\`${name}\``, functions: [name] })),
];

export const cell = (text: string): string => `\`${text}\``;
export const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const statusIndex = (name: ListedName): string => {
	const statuses = statusLists[name];
	return statuses === undefined ? '' : `status (${statuses.join(', ')})`;
};

function recordRow(name: RecordName): string {
	const { pk, sk } = records[name].key(PLACEHOLDER);
	const key = pk.startsWith(`${sk}#`) ? cell(pk) : `${cell(pk)}, ${cell(sk)}`;
	const listed = isListed(name) ? ['list', statusIndex(name), listsByEndpoint(name) ? 'endpoint' : ''] : [];
	const indexes = [...listed, isTimed(name) ? 'timer' : ''].filter((index) => index !== '');
	return row(cell(name), MEANING[name], key, indexes.join(', '));
}

/** Each column, with whether its functions may read or write a kind of record: `r`, `w`, `rw` or nothing. */
export function accessByColumn(name: RecordName): readonly { readonly title: string; readonly access: string }[] {
	const has = (list: readonly string[]): boolean => list.includes(name);
	return columns.map(({ title, functions }) => {
		const accesses = functions.map(accessOf);
		const reads = accesses.some(({ get, query, list }) => has(get) || has(query) || has(list));
		const writes = accesses.some(({ put, remove }) => has(put) || has(remove));
		return { title, access: (reads ? 'r' : '') + (writes ? 'w' : '') };
	});
}

const accessRow = (name: RecordName): string => row(cell(name), ...accessByColumn(name).map(({ access }) => access));

/** Describes the table on a page, from the definitions that the adapter and the roles also use. */
export function dataModel(): string {
	const kinds = Object.keys(records).filter((name): name is RecordName => name in records);
	const { by_workspace, by_status, by_endpoint, by_due } = table.indexes;
	return `# Data model

Generated by \`node tools/generate/data-model.ts\` from shared/adapters/dynamodb/table.ts and infra/function-roles.ts.

Everything is in one DynamoDB table: partition key \`${table.partition_key}\`, sort key \`${table.sort_key}\`, expiry \`${table.ttl_attribute}\`. Every call, lead and delivery is
a partition of its own, so calls do not compete for a partition. Four indexes lead to records without their key:

| index | partition | sort | for |
|---|---|---|---|
| list: \`${by_workspace.name}\` | \`${by_workspace.partition_key}\`: kind and workspace | \`${by_workspace.sort_key}\` | lists, newest first; a time range is a range of ULIDs |
| status: \`${by_status.name}\` | \`${by_status.partition_key}\`: kind, workspace and status | \`${by_status.sort_key}\` | what needs a person, however much does not; only records with a status named below are in it |
| endpoint: \`${by_endpoint.name}\` | \`${by_endpoint.partition_key}\`: kind, workspace and endpoint | \`${by_endpoint.sort_key}\` | one endpoint's deliveries |
| timer: \`${by_due.name}\` | \`${by_due.partition_key}\`: one of ${DUE_SHARDS} | \`${by_due.sort_key}\` | overdue work, for the sweep; only records with a due time are in it |

## Records

The key is the partition key and, if a partition has several records, the sort key. Otherwise the sort key is the word before the \`#\`.

| record | what it is | key | index |
|---|---|---|---|
${kinds.map(recordRow).join('\n')}

The counters of the limits (\`${counter.key('<name>').pk}\`) are no records: writes only add to them. The tallies of the desk's figures (\`${counter.key('tally#<workspace id>', '2026-11-25T06:00#call0').pk}\`, \`2026-11-25T06:00#call0\`) are counters, too.

## Who reads and writes what

\`r\` reads, \`w\` writes. The first four columns are the functions of the API, by who calls them: customers' servers, the widget, the links that we send to the team, and
the phone provider. The others are the workers. The role of each function allows no more than its row in infra/function-roles.ts; operators'
commands use the operator's own credentials.

${row('record', ...columns.map(({ title }) => title))}
${row('---', ...columns.map(() => ':-:'))}
${kinds.map(accessRow).join('\n')}
`;
}

if (import.meta.main) writeFileSync(new URL('../../docs/data-model.md', import.meta.url), dataModel());
