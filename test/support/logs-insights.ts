// Runs a query of CloudWatch Logs Insights over log lines. It supports the part of the query language that infra/log-queries.ts
// uses (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html, read on 2026-11-29). It throws an error
// for everything else, and for a field that no log line can have.

type Value = string | number;
export type Row = Readonly<Record<string, Value>>;
type Condition = (row: Row) => boolean;
type Command = (rows: readonly Row[]) => readonly Row[];

const TOKEN = /\s+|#.*|("(?:[^"\\\n])*"|\d+(?:\.\d+)?|@?[a-z_]\w*|<=|>=|[|,()[\]=<>*])/gy;

function tokensOf(query: string): string[] {
	const tokens: string[] = [];
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < query.length) {
		const at = TOKEN.lastIndex;
		const match = TOKEN.exec(query);
		if (match === null) throw new Error(`no such syntax: ${query.slice(at, at + 20)}`);
		if (match[1] !== undefined) tokens.push(match[1]);
	}
	return tokens;
}

const isEqual = (a: Value | undefined, b: Value): boolean =>
	a !== undefined && (String(a) === String(b) || (a !== '' && Number(a) === Number(b)));
const numbersOf = (rows: readonly Row[], field: string): readonly number[] =>
	rows
		.flatMap(({ [field]: value }) => (value === undefined || value === '' ? [] : [Number(value)]))
		.sort((a, b) => a - b);
const byTime = (rows: readonly Row[], field: string): readonly Row[] =>
	rows
		.filter(({ [field]: value }) => value !== undefined)
		.toSorted((a, b) => String(a['@timestamp']).localeCompare(String(b['@timestamp'])));
/** A result omits a field that has no value. */
const found = (name: string, value: Value | undefined): Row => (value === undefined ? {} : { [name]: value });

type Aggregate = (rows: readonly Row[]) => Value | undefined;
const AGGREGATES: Readonly<Record<string, (field: string) => Aggregate>> = {
	max: (field) => (rows) => numbersOf(rows, field).at(-1),
	earliest: (field) => (rows) => byTime(rows, field)[0]?.[field],
	latest: (field) => (rows) => byTime(rows, field).at(-1)?.[field],
};
const percentile =
	(field: string, percent: number): Aggregate =>
	(rows) => {
		const numbers = numbersOf(rows, field);
		return numbers[Math.max(0, Math.ceil((percent / 100) * numbers.length) - 1)];
	};

/**
 * A parser of one query. `known`: the fields that a line can have. After a `stats` command, only the results of this command are
 * known.
 */
function parser(query: string, known: ReadonlySet<string>) {
	const tokens = tokensOf(query);
	let fields = known;
	const next = (): string => {
		const token = tokens.shift();
		if (token === undefined) throw new Error('the query ends too early');
		return token;
	};
	const accept = (wanted: string): boolean => {
		if (tokens[0] !== wanted) return false;
		tokens.shift();
		return true;
	};
	const expect = (wanted: string): void => {
		const token = next();
		if (token !== wanted) throw new Error(`expected ${wanted}, not ${token}`);
	};
	const name = (): string => {
		const token = next();
		if (!/^@?[a-z_]\w*$/.test(token)) throw new Error(`not a name: ${token}`);
		return token;
	};
	const field = (): string => {
		const token = name();
		if (!fields.has(token)) throw new Error(`no line has the field ${token}`);
		return token;
	};
	const value = (): Value => {
		const token = next();
		if (token.startsWith('"')) return token.slice(1, -1);
		if (!/^\d/.test(token)) throw new Error(`not a value: ${token}`);
		return Number(token);
	};
	const list = <T>(one: () => T): readonly T[] => {
		const all = [one()];
		while (accept(',')) all.push(one());
		return all;
	};

	function comparison(): Condition {
		if (accept('(')) {
			const inner = either();
			expect(')');
			return inner;
		}
		if (tokens[0] === 'ispresent' && tokens[1] === '(') {
			tokens.splice(0, 2);
			const present = field();
			expect(')');
			return (row) => row[present] !== undefined;
		}
		const left = field();
		const operator = next();
		if (operator === 'in') {
			expect('[');
			const values = list(value);
			expect(']');
			return (row) => values.some((each) => isEqual(row[left], each));
		}
		const right = value();
		if (operator === '=') return (row) => isEqual(row[left], right);
		if (operator === '>=') return (row) => Number(row[left] ?? Number.NaN) >= Number(right);
		if (operator === '>') return (row) => Number(row[left] ?? Number.NaN) > Number(right);
		throw new Error(`no such comparison: ${operator}`);
	}
	function both(): Condition {
		const all = [comparison()];
		while (accept('and')) all.push(comparison());
		return (row) => all.every((condition) => condition(row));
	}
	function either(): Condition {
		const all = [both()];
		while (accept('or')) all.push(both());
		return (row) => all.some((condition) => condition(row));
	}

	function aggregate(): readonly [alias: string, of: Aggregate] {
		const what = name();
		expect('(');
		let of: Aggregate;
		if (what === 'count') {
			expect('*');
			of = (rows) => rows.length;
		} else if (what === 'pct') {
			const on = field();
			expect(',');
			of = percentile(on, Number(value()));
		} else {
			const make = AGGREGATES[what];
			if (make === undefined) throw new Error(`no such function: ${what}`);
			of = make(field());
		}
		expect(')');
		expect('as');
		return [name(), of];
	}
	function stats(): Command {
		const results = list(aggregate);
		expect('by');
		const by = list(field);
		fields = new Set([...by, ...results.map(([alias]) => alias)]);
		return (rows) => {
			const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((each) => row[each] ?? null)));
			return [...groups.values()].map((group) => {
				const keys = by.map((each) => found(each, group[0]?.[each]));
				return Object.assign({}, ...keys, ...results.map(([alias, of]) => found(alias, of(group))));
			});
		};
	}
	function sort(): Command {
		const on = field();
		const direction = next();
		if (direction !== 'asc' && direction !== 'desc') throw new Error(`no such order: ${direction}`);
		const sign = direction === 'asc' ? 1 : -1;
		const compare = (a: Value = '', b: Value = ''): number =>
			typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
		return (rows) => rows.toSorted((a, b) => sign * compare(a[on], b[on]));
	}

	function command(): Command {
		const what = name();
		switch (what) {
			case 'fields':
			case 'display': {
				const shown = list(field);
				return (rows) => rows.map((row) => ({ ...row, shown: shown.join() }));
			}
			case 'filter': {
				const condition = either();
				return (rows) => rows.filter(condition);
			}
			case 'stats':
				return stats();
			case 'sort':
				return sort();
			case 'limit': {
				const most = Number(value());
				return (rows) => rows.slice(0, most);
			}
			default:
				throw new Error(`no such command: ${what}`);
		}
	}
	return (): readonly Command[] => {
		const commands = [command()];
		while (accept('|')) commands.push(command());
		if (tokens.length > 0) throw new Error(`no such syntax: ${tokens.join(' ')}`);
		return commands;
	};
}

/** The rows that a query finds in lines of JSON. Throws if the query uses more than the supported part of the language. */
export function runQuery(query: string, known: Iterable<string>, lines: readonly string[]): readonly Row[] {
	const commands = parser(query, new Set(['@timestamp', ...known]))();
	const rows = lines.map((line): Row => {
		const row = JSON.parse(line);
		return { ...row, '@timestamp': row.timestamp ?? '' };
	});
	const shown = commands.reduce<readonly Row[]>((all, command) => command(all), rows);
	return shown.map(({ shown: names, ...row }) => {
		if (names === undefined) return row;
		const chosen = String(names).split(',');
		return Object.fromEntries(Object.entries(row).filter(([name]) => chosen.includes(name)));
	});
}
