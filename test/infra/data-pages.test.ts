import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { accessOf, type FunctionName, functionNames, isWorker, workers } from '../../infra/function-roles.ts';
import { isListed, isTimed, listsByEndpoint, records, table } from '../../shared/adapters/dynamodb/table.ts';
import { routes } from '../../shared/contract/routes.ts';
import { KEPT_SECONDS as TALLY_SECONDS } from '../../shared/domain/calls/tally.ts';
import { LIFETIME_SECONDS, REMEMBERED_SECONDS } from '../../shared/domain/desk/desk-link.ts';
import { SESSION_SECONDS } from '../../shared/domain/desk/session-cookie.ts';
import { IDEMPOTENCY_SECONDS } from '../../shared/domain/kernel/idempotency.ts';
import * as link from '../../shared/domain/leads/callback-link.ts';
import { RETENTION_SECONDS as EVENT_SECONDS } from '../../shared/domain/webhooks/event.ts';
import { REMEMBERED_SECONDS as BLOCKED_SECONDS } from '../../shared/domain/workspaces/blocked-address.ts';
import { SEEN_SECONDS } from '../../shared/domain/workspaces/site-use.ts';
import { DUE_SHARDS, type RecordName, type Records, statusLists } from '../../shared/ports/registry.ts';
import { RETENTION_SECONDS as AUDIT_SECONDS } from '../../shared/use-cases/desk/enter-desk.ts';
import { SEALED_NUMBER_SECONDS as LEAD_NUMBER_SECONDS } from '../../shared/use-cases/leads/capture-lead.ts';
import { SEALED_NUMBER_SECONDS as CALL_NUMBER_SECONDS } from '../../shared/use-cases/visitors/request-call.ts';
import { CONSENT_SECONDS } from '../../shared/use-cases/visitors/screen-visitor.ts';
import { UNDO_SECONDS } from '../../shared/use-cases/workspaces/team-members.ts';
import { deployedTemplate, ofType } from './synthesised.ts';

const page = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
const kinds = Object.keys(records) as readonly RecordName[];

/** The cells of each row of a page that is about a record, the record's name first. */
const rowsOf = (name: string): readonly (readonly string[])[] =>
	page(name)
		.split('\n')
		.filter((line) => /^\| `\w+` \|/.test(line))
		.map((line) => line.slice(2, -2).split(' | '))
		.map(([record = '', ...cells]) => [record.replaceAll('`', ''), ...cells.map((cell) => cell.trim())]);

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
	owner: '<call#id, lead#id or team#workspace#member id>',
	subject: '<call#id or lead#id>',
	address: '<mail address>',
} as const;

function keyOf(name: RecordName): string {
	const { pk, sk } = records[name].key(PLACEHOLDER);
	return pk.startsWith(`${sk}#`) ? `\`${pk}\`` : `\`${pk}\`, \`${sk}\``;
}

function indexesOf(name: RecordName): string {
	const statuses = isListed(name) ? statusLists[name] : undefined;
	const indexes = [
		...(isListed(name) ? ['list'] : []),
		...(statuses === undefined ? [] : [`status (${statuses.join(', ')})`]),
		...(isListed(name) && listsByEndpoint(name) ? ['endpoint'] : []),
		...(isTimed(name) ? ['timer'] : []),
	];
	return indexes.join(', ');
}

/** The columns of the matrix: the API's functions by who calls them, then each worker. */
const COLUMNS = { server: 'server API', widget: 'widget', team: 'team links', desk: 'desk', provider: 'callbacks' };
const surfaceOf = (name: FunctionName): string =>
	routes.find(({ operation }) => operation === name)?.surface ?? 'widget';
const columns = [
	...Object.entries(COLUMNS).map(([surface, title]) => ({
		title,
		functions: functionNames.filter((name) => !isWorker(name) && surfaceOf(name) === surface),
	})),
	...workers.map((name) => ({ title: `\`${name}\``, functions: [name] })),
];

/** Whether the functions of each column may read or write a kind of record: `r`, `w`, `rw` or nothing. */
const accessTo = (record: RecordName): readonly string[] =>
	columns.map(({ functions }) => {
		const has = (list: readonly string[]): boolean => list.includes(record);
		const accesses = functions.map(accessOf);
		const reads = accesses.some(({ get, query, list }) => has(get) || has(query) || has(list));
		const writes = accesses.some(({ put, remove }) => has(put) || has(remove));
		return (reads ? 'r' : '') + (writes ? 'w' : '');
	});

function accessText(record: RecordName): string {
	const access = accessTo(record);
	const titles = (letter: string) =>
		columns.filter((_, place) => access[place]?.includes(letter)).map(({ title }) => title);
	return ['w', 'r'].map((letter) => titles(letter).join(', ') || 'only operators').join(' · ');
}

describe('docs/data-model.md', () => {
	const rows = rowsOf('data-model.md');
	const meanings = new Map(rows.filter(({ length }) => length === 4).map(([name = '', what = '']) => [name, what]));

	it('has the key and the indexes of every record', () => {
		const shown = rows.filter(({ length }) => length === 4).map(([name, _, ...key]) => [name, ...key]);
		expect(shown).toEqual(kinds.map((name) => [name, keyOf(name), indexesOf(name)]));
	});

	it('has the names of the table and of its indexes', () => {
		const { indexes, ...names } = table;
		const { name, ...attributes } = indexes.by_due;
		const others = Object.values(indexes).flatMap((index) => [index.name, index.partition_key, index.sort_key]);
		for (const word of [...Object.values(names), name, ...Object.values(attributes), ...others]) {
			if (typeof word === 'string') expect(page('data-model.md')).toContain(`\`${word}\``);
		}
		expect(page('data-model.md')).toContain(`one of ${DUE_SHARDS}`);
	});

	it('says who reads and writes what, as the roles do', () => {
		expect(page('data-model.md')).toContain(`| record | ${columns.map(({ title }) => title).join(' | ')} |`);
		expect(rows.filter(({ length }) => length > 4)).toEqual(kinds.map((name) => [name, ...accessTo(name)]));
	});

	it('names a record as data-protection.md does', () => {
		for (const [name = '', what] of rowsOf('data-protection.md'))
			expect([name, what]).toEqual([name, meanings.get(name)]);
	});
});

/** A duration in the largest unit that fits. */
function lasting(seconds: number): string {
	const [unit_seconds, unit] = seconds % 86_400 === 0 ? ([86_400, 'day'] as const) : ([3600, 'hour'] as const);
	const count = seconds / unit_seconds;
	return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}

/** Each record that expires has a row here; one that is missing does not compile. */
type Expiring = {
	[N in RecordName]: Records[N] extends { readonly expires_at_epoch_s: infer E }
		? number extends E
			? N
			: never
		: never;
}[RecordName];
const LASTS: Readonly<Record<Expiring, readonly number[]>> = {
	site_use: [SEEN_SECONDS],
	event: [EVENT_SECONDS],
	delivery: [EVENT_SECONDS],
	delivery_attempt: [EVENT_SECONDS],
	idempotency: [IDEMPOTENCY_SECONDS],
	// The longest after a member was removed.
	team_number: [UNDO_SECONDS],
	// In words: a suppressed number never ends.
	number_usage: [],
	sealed_number: [CALL_NUMBER_SECONDS, LEAD_NUMBER_SECONDS],
	team_notice: [EVENT_SECONDS],
	consent: [CONSENT_SECONDS],
	callback_link: [link.LIFETIME_SECONDS.message + link.REMEMBERED_SECONDS],
	desk_link: [LIFETIME_SECONDS.invitation + REMEMBERED_SECONDS],
	desk_mailbox: [LIFETIME_SECONDS.invitation + REMEMBERED_SECONDS],
	desk_session: [SESSION_SECONDS],
	blocked_address: [BLOCKED_SECONDS],
	desk_change: [AUDIT_SECONDS],
};

describe('docs/data-protection.md', () => {
	const rows = rowsOf('data-protection.md');
	const text = page('data-protection.md');

	it('has every record once: in a table, or among those without personal data', () => {
		const [others = ''] = text.split('\n').filter((line) => line.endsWith(' have no personal data.'));
		const named = [...others.matchAll(/`(\w+)`/g)].map(([, name]) => name);
		expect([...rows.map(([name]) => name), ...named].sort()).toEqual([...kinds].sort());
	});

	it('says of each that expires how long it is kept, and of all who writes and reads them', () => {
		const lasts = new Map<string | undefined, readonly number[]>(Object.entries(LASTS));
		for (const [name = '', , , kept, ...rest] of rows) {
			for (const seconds of lasts.get(name) ?? []) expect(`${name}: ${kept}`).toContain(lasting(seconds));
			expect([name, rest.at(-1)]).toEqual([name, accessText(name as RecordName)]);
		}
		expect(text).toContain(`end after ${lasting(TALLY_SECONDS)}`);
	});

	it('names the functions that may decrypt a number', () => {
		const decrypting = functionNames.filter((name) => accessOf(name).use.includes('open_numbers'));
		expect(text).toContain(`Only ${decrypting.map((name) => `\`${name}\``).join(' and ')} may decrypt a number.`);
	});

	it('says how long the template keeps logs, messages and backups', async () => {
		const template = await deployedTemplate();
		const of = (type: string) => ofType(template, type).map(([, { Properties }]) => Properties);
		const [days, ...more] = new Set(of('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays));
		expect(more).toEqual([]);
		expect(text).toMatch(new RegExp(`^\\| logs .* \\| ${days} days \\|`, 'm'));
		const seconds = of('AWS::SQS::Queue').map(({ MessageRetentionPeriod = 4 * 86_400 }) => MessageRetentionPeriod);
		expect(text).toMatch(new RegExp(`^\\| queues .* \\| at most ${Math.max(...seconds) / 86_400} days \\|`, 'm'));
		const [recovery] = of('AWS::DynamoDB::Table').map((each) => each['PointInTimeRecoverySpecification']);
		expect(recovery).toEqual({ PointInTimeRecoveryEnabled: true });
	});
});
