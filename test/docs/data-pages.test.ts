import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { accessOf, type FunctionName, functionNames, isWorker, workers } from '../../infra/function-roles.ts';
import { counter, isListed, isTimed, listsByEndpoint, records, table } from '../../shared/adapters/dynamodb/table.ts';
import { routes } from '../../shared/contract/routes.ts';
import { KEPT_SECONDS } from '../../shared/domain/calls/tally.ts';
import { DUE_SHARDS, type RecordName, statusLists } from '../../shared/ports/registry.ts';
import { deployedTemplate, ofType } from '../infra/synthesised.ts';
import { KEPT } from '../support/kept.ts';

// The pages about stored data are written by hand. This test checks that each record has a row there with the facts from the
// code.

const names = Object.keys(records).filter((name): name is RecordName => name in records);

/** The cells of each record's row below a heading, without the record's name. */
function rowsBelow(page: string, heading: string): ReadonlyMap<string, readonly string[]> {
	const [, below = ''] = readFileSync(page, 'utf8').split(`\n${heading}\n`);
	const [section = ''] = below.split(/^#+ /m);
	const rows = [...section.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)];
	return new Map(rows.map(([, name = '', cells = '']) => [name, cells.split('|').map((cell) => cell.trim())]));
}

describe('docs/data-model.md', () => {
	const page = readFileSync('docs/data-model.md', 'utf8');

	it('has each record once, with the prefix of its key', () => {
		const rows = rowsBelow('docs/data-model.md', '## Records');
		expect([...rows.keys()]).toEqual(names);
		const keys = names.map((name) => records[name].key(new Proxy({}, { get: () => 'x' }) as never).pk.split('#')[0]);
		expect([...rows.values()].map(([, key = '']) => /^`(\w+)#/.exec(key)?.[1])).toEqual(keys);
		expect(page).toContain(`\`${counter.key('<name>').pk}\``);
	});

	it('says which indexes lead to each record, and which attributes they have', () => {
		const rows = rowsBelow('docs/data-model.md', '## Records');
		for (const name of names) {
			const statuses = isListed(name) ? statusLists[name] : undefined;
			const indexes = [
				isListed(name) && 'list',
				statuses && `status (${statuses.join(', ')})`,
				isListed(name) && listsByEndpoint(name) && 'endpoint',
				isTimed(name) && 'timer',
			].filter(Boolean);
			expect([name, rows.get(name)?.[2]]).toEqual([name, indexes.join(', ')]);
		}
		for (const { name, partition_key, sort_key } of Object.values(table.indexes)) {
			expect(page).toMatch(
				new RegExp(`^\\| \\w+: \`${name}\` \\| \`${partition_key}\`.* \\| \`${sort_key}\` \\|`, 'm'),
			);
		}
		for (const key of [table.partition_key, table.sort_key, table.ttl_attribute]) expect(page).toContain(`\`${key}\``);
		expect(page).toContain(`one of ${DUE_SHARDS} `);
	});

	it('says which functions read and write a record, as their roles allow', () => {
		const surfaceOf = (name: FunctionName) => routes.find(({ operation }) => operation === name)?.surface ?? 'widget';
		const callers = ['server', 'widget', 'team', 'desk', 'provider'].map((surface) =>
			functionNames.filter((name) => !isWorker(name) && surfaceOf(name) === surface),
		);
		const columns = [...callers, ...workers.map((name) => [name])];
		const rows = rowsBelow('docs/data-model.md', '## Who reads and writes what');
		for (const name of names) {
			const allowed = columns.map((functions) => {
				const roles = functions.map(accessOf);
				const reads = roles.some(({ get, query, list }) => [...get, ...query, ...list].some((each) => each === name));
				const writes = roles.some(({ put, remove }) => [...put, ...remove].some((each) => each === name));
				return (reads ? 'r' : '') + (writes ? 'w' : '');
			});
			expect([name, rows.get(name)]).toEqual([name, allowed]);
		}
		expect(page).toContain(`| ${workers.map((name) => `\`${name}\``).join(' | ')} |`);
	});
});

const DAY_SECONDS = 86_400;

function inWords(seconds: number): string {
	const [count, unit] = seconds % DAY_SECONDS === 0 ? [seconds / DAY_SECONDS, 'day'] : [seconds / 3600, 'hour'];
	return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}

describe('docs/data-protection.md', () => {
	const page = readFileSync('docs/data-protection.md', 'utf8');
	const rows = new Map(
		['### Visitors', '### The team', '### People at the desk'].flatMap((heading) => [
			...rowsBelow('docs/data-protection.md', heading),
		]),
	);
	const [without = ''] = /^.*have no personal data\.[\s\S]*?\n\n/m.exec(page) ?? [];

	it('has each record once, and says whose data it has, or that it has none', () => {
		const others = [...without.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
		expect([...rows.keys(), ...others].sort()).toEqual([...names].sort());
	});

	it('says after what time each record expires', () => {
		for (const [name, times] of Object.entries(KEPT)) {
			const said = rows.get(name)?.[2] ?? without;
			for (const seconds of times) expect([name, said]).toEqual([name, expect.stringContaining(inWords(seconds))]);
		}
		expect(page).toContain(`end after ${inWords(KEPT_SECONDS)}`);
	});

	it('names the functions that may decrypt a number', () => {
		const decrypting = functionNames.filter((name) => accessOf(name).use.includes('open_numbers'));
		expect(page).toContain(`Only ${decrypting.map((name) => `\`${name}\``).join(' and ')} may decrypt a number`);
	});

	it('says how long the template keeps logs, messages and backups', async () => {
		const template = await deployedTemplate();
		const of = (type: string) => ofType(template, type).map(([, { Properties }]) => Properties);
		const logDays = new Set(of('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays));
		expect(logDays.size).toBe(1);
		expect(page).toMatch(new RegExp(`^\\| logs .* \\| ${[...logDays]} days \\|`, 'm'));
		const messageSeconds = of('AWS::SQS::Queue').map(
			({ MessageRetentionPeriod = 4 * DAY_SECONDS }) => MessageRetentionPeriod,
		);
		expect(page).toMatch(
			new RegExp(`^\\| queues .* \\| at most ${Math.max(...messageSeconds) / DAY_SECONDS} days \\|`, 'm'),
		);
		const [recovery] = of('AWS::DynamoDB::Table').map((each) => each['PointInTimeRecoverySpecification']);
		expect(recovery).toEqual({ PointInTimeRecoveryEnabled: true });
		expect(page).toMatch(/^\| the table's point-in-time backups .* \| 35 days \|/m);
	});
});
