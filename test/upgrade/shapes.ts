import { join } from 'node:path';
import ts from 'typescript';

// Derives the shape of every record and message from its TypeScript type, to compare what one release writes with what another
// one reads.

export type Shape =
	/** `never`: the field must be absent. */
	| { readonly is: 'string' | 'number' | 'boolean' | 'null' | 'never' | 'anything' }
	| { readonly one_of: readonly (string | number | boolean)[] }
	| { readonly list_of: Shape }
	| { readonly map_of: Shape }
	| { readonly members: Readonly<Record<string, Shape>>; readonly optional: readonly string[] }
	| { readonly any_of: readonly Shape[] };
export type Shapes = {
	readonly records: Readonly<Record<string, Shape>>;
	readonly messages: Readonly<Record<string, Shape>>;
};

/** Reads the types `Records` and `Messages` of a tree, in about two seconds. `altered`: replaces the text of one file. */
export function readShapes(root: string, altered?: { readonly file: string; readonly text: string }): Shapes {
	const file = join(root, 'shared/ports/registry.ts');
	const options = {
		strict: true,
		exactOptionalPropertyTypes: true,
		allowImportingTsExtensions: true,
		noEmit: true,
		module: ts.ModuleKind.NodeNext,
		target: ts.ScriptTarget.ESNext,
		skipLibCheck: true,
		types: [],
	};
	const host = ts.createCompilerHost(options);
	const readFile = host.readFile.bind(host);
	host.readFile = (path) =>
		altered !== undefined && path.endsWith(`/${altered.file}`) ? altered.text : readFile(path);
	const program = ts.createProgram([file], options, host);
	const checker = program.getTypeChecker();
	const source = program.getSourceFile(file);
	const module = source && checker.getSymbolAtLocation(source);
	if (source === undefined || module === undefined) throw new Error(`${file} cannot be read`);
	const shapesOf = (name: string): Record<string, Shape> => {
		const symbol = checker.getExportsOfModule(module).find((each) => each.name === name);
		if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
		const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
		return Object.fromEntries(
			members.map((each) => [each.name, shapeOf(checker.getTypeOfSymbolAtLocation(each, source), checker, source)]),
		);
	};
	return { records: shapesOf('Records'), messages: shapesOf('Messages') };
}

function shapeOf(type: ts.Type, checker: ts.TypeChecker, at: ts.Node): Shape {
	const inner = (each: ts.Type) => shapeOf(each, checker, at);
	if (type.isUnion()) return unionOf(type.types.map(inner));
	if (type.isStringLiteral() || type.isNumberLiteral()) return { one_of: [type.value] };
	const { flags } = type;
	if (flags & ts.TypeFlags.BooleanLiteral) return { one_of: [checker.typeToString(type) === 'true'] };
	if (flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return { is: 'string' };
	if (flags & ts.TypeFlags.Number) return { is: 'number' };
	if (flags & ts.TypeFlags.Null) return { is: 'null' };
	if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) return { is: 'never' };
	if (checker.isArrayType(type) || checker.isTupleType(type)) {
		return { list_of: unionOf(checker.getTypeArguments(type as ts.TypeReference).map(inner)) };
	}
	const indexed = checker.getIndexTypeOfType(type, ts.IndexKind.String);
	if (indexed !== undefined) return { map_of: inner(indexed) };
	if (!(flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return { is: 'anything' };
	const members = checker.getPropertiesOfType(type);
	const optional = members.filter((each) => each.flags & ts.SymbolFlags.Optional).map(({ name }) => name);
	return {
		members: Object.fromEntries(
			[...members]
				.sort((a, b) => (a.name < b.name ? -1 : 1))
				.map((each) => [each.name, inner(checker.getTypeOfSymbolAtLocation(each, at))]),
		),
		optional: optional.sort(),
	};
}

/** Joins the parts of a union. Literals become one list, and `true` with `false` becomes `boolean`. */
function unionOf(all: readonly Shape[]): Shape {
	const literals = [...new Set(all.flatMap((each) => ('one_of' in each ? each.one_of : [])))].sort();
	const others = all.filter((each) => !('one_of' in each) && !('is' in each && each.is === 'never'));
	const isBoolean = literals.includes(true) && literals.includes(false);
	const rest = literals.filter((each) => !isBoolean || typeof each !== 'boolean');
	const parts: Shape[] = [
		...others,
		...(isBoolean ? [{ is: 'boolean' } as const] : []),
		...(rest.length > 0 ? [{ one_of: rest }] : []),
	];
	const [first, ...more] = parts;
	if (first === undefined) return { is: 'never' };
	return more.length === 0 ? first : { any_of: parts };
}

const alternatives = (shape: Shape): readonly Shape[] => ('any_of' in shape ? shape.any_of : [shape]);

/**
 * Why a reader that expects the shape `reader` may fail on data of the shape `written`. Empty if it reads all such data. A
 * field that the reader does not know does no harm, because the reader keeps it unchanged.
 */
export function unreadable(reader: Shape, written: Shape, at = ''): readonly string[] {
	return alternatives(written).flatMap((part) => {
		const tries = alternatives(reader).map((each) => unreadablePart(each, part, at));
		return tries.reduce((best, each) => (distance(each) < distance(best) ? each : best));
	});
}

const OTHER_TYPE = 'has another type';
/**
 * How far an alternative is from the data. An alternative of another type counts as further away, because a reason that names
 * a value or a field tells people more.
 */
const distance = (reasons: readonly string[]): number =>
	reasons.length + (reasons.some((reason) => reason.endsWith(OTHER_TYPE)) ? 1 : 0);

function unreadablePart(reader: Shape, written: Shape, at: string): readonly string[] {
	const place = at === '' ? 'it' : at;
	if ('is' in reader && reader.is === 'anything') return [];
	if ('one_of' in written) {
		if ('one_of' in reader) {
			const unknown = written.one_of.filter((value) => !reader.one_of.includes(value));
			return unknown.map((value) => `${place} may be ${JSON.stringify(value)}`);
		}
		const kinds = new Set(written.one_of.map((value) => typeof value));
		return 'is' in reader && kinds.size === 1 && kinds.has(reader.is as 'string') ? [] : [`${place} ${OTHER_TYPE}`];
	}
	if ('members' in written && 'members' in reader) return unreadableMembers(reader, written, at);
	if ('members' in written && 'map_of' in reader) {
		return Object.entries(written.members).flatMap(([name, shape]) =>
			unreadable(reader.map_of, shape, `${at}.${name}`),
		);
	}
	if ('list_of' in written && 'list_of' in reader) return unreadable(reader.list_of, written.list_of, `${at}[]`);
	if ('map_of' in written && 'map_of' in reader) return unreadable(reader.map_of, written.map_of, `${at}{}`);
	if ('is' in written && 'is' in reader && written.is === reader.is) return [];
	return [`${place} ${OTHER_TYPE}`];
}

type Members = Extract<Shape, { readonly members: object }>;
function unreadableMembers(reader: Members, written: Members, at: string): readonly string[] {
	return Object.entries(reader.members).flatMap(([name, shape]) => {
		const path = at === '' ? name : `${at}.${name}`;
		const found = written.members[name];
		const isOptional = reader.optional.includes(name);
		if (found === undefined) return isOptional ? [] : [`${path} is missing`];
		if (written.optional.includes(name) && !isOptional) return [`${path} may be missing`];
		return 'is' in found && found.is === 'never' ? [] : unreadable(shape, found, path);
	});
}

/** Why a value does not have the shape; empty if it has. */
export function misfits(shape: Shape, value: unknown, at = ''): readonly string[] {
	const tries = alternatives(shape).map((each) => misfitsOne(each, value, at));
	return tries.reduce((best, each) => (each.length < best.length ? each : best));
}

function misfitsOne(shape: Shape, value: unknown, at: string): readonly string[] {
	const wrong = [`${at === '' ? 'it' : at} is ${value === null ? 'null' : typeof value}`];
	if ('is' in shape) {
		if (shape.is === 'anything') return [];
		if (shape.is === 'null') return value === null ? [] : wrong;
		return typeof value === shape.is ? [] : wrong;
	}
	if ('one_of' in shape)
		return shape.one_of.some((each) => each === value) ? [] : [`${at} is ${JSON.stringify(value)}`];
	if ('list_of' in shape) {
		return Array.isArray(value) ? value.flatMap((each) => misfits(shape.list_of, each, `${at}[]`)) : wrong;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
	const fields = new Map<string, unknown>(Object.entries(value));
	if ('map_of' in shape) return [...fields].flatMap(([name, each]) => misfits(shape.map_of, each, `${at}.${name}`));
	if (!('members' in shape)) return [];
	return Object.entries(shape.members).flatMap(([name, member]) => {
		const path = at === '' ? name : `${at}.${name}`;
		if (!fields.has(name)) return shape.optional.includes(name) || isNever(member) ? [] : [`${path} is missing`];
		return misfits(member, fields.get(name), path);
	});
}
const isNever = (shape: Shape): boolean => 'is' in shape && shape.is === 'never';

/**
 * A choice that a shape leaves open, with its path: whether an optional field is present, whether a value is null, or which of
 * several values or shapes the data has.
 */
export type Choice = { readonly path: string; readonly taken: readonly string[] };

/**
 * All choices of a shape, each with its possible answers: `present` or `absent` for an optional field, `null` or `value` for
 * a nullable one. An object in which every field is optional counts as a map, which samples must show both empty and filled.
 */
export function choicesOf(shape: Shape, at = ''): readonly Choice[] {
	if ('any_of' in shape) {
		const parts = shape.any_of;
		const nulls = parts.some((each) => 'is' in each && each.is === 'null');
		const own = nulls ? [{ path: at, taken: ['null', 'value'] }] : [];
		return [...own, ...parts.flatMap((each) => choicesOf(each, at))];
	}
	if ('list_of' in shape) return choicesOf(shape.list_of, `${at}[]`);
	if ('map_of' in shape) return choicesOf(shape.map_of, `${at}{}`);
	if (!('members' in shape)) return [];
	const { members, optional } = shape;
	const names = Object.keys(members).filter((name) => !isNever(members[name] ?? { is: 'never' }));
	if (names.length > 1 && names.every((name) => optional.includes(name)))
		return [{ path: at, taken: ['empty', 'filled'] }];
	return names.flatMap((name) => {
		const path = at === '' ? name : `${at}.${name}`;
		const own = optional.includes(name) ? [{ path, taken: ['present', 'absent'] }] : [];
		return [...own, ...choicesOf(members[name] ?? { is: 'never' }, path)];
	});
}

/** The answers that a value gives to the choices of its shape, each as `<path> <taken>`. */
export function takenBy(shape: Shape, value: unknown, at = ''): readonly string[] {
	if ('any_of' in shape) {
		const nulls = shape.any_of.some((each) => 'is' in each && each.is === 'null');
		const own = nulls ? [`${at} ${value === null ? 'null' : 'value'}`] : [];
		const part = shape.any_of.find((each) => misfits(each, value).length === 0);
		return [...own, ...(part === undefined || value === null ? [] : takenBy(part, value, at))];
	}
	if ('list_of' in shape)
		return Array.isArray(value) ? value.flatMap((each) => takenBy(shape.list_of, each, `${at}[]`)) : [];
	if (typeof value !== 'object' || value === null) return [];
	const fields = new Map<string, unknown>(Object.entries(value));
	if ('map_of' in shape) return [...fields.values()].flatMap((each) => takenBy(shape.map_of, each, `${at}{}`));
	if (!('members' in shape)) return [];
	const { members, optional } = shape;
	const names = Object.keys(members).filter((name) => !isNever(members[name] ?? { is: 'never' }));
	if (names.length > 1 && names.every((name) => optional.includes(name)))
		return [`${at} ${fields.size === 0 ? 'empty' : 'filled'}`];
	return names.flatMap((name) => {
		const path = at === '' ? name : `${at}.${name}`;
		const own = optional.includes(name) ? [`${path} ${fields.has(name) ? 'present' : 'absent'}`] : [];
		return [...own, ...(fields.has(name) ? takenBy(members[name] ?? { is: 'never' }, fields.get(name), path) : [])];
	});
}
