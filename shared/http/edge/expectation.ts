import type * as z from 'zod/mini';

// Says in words what a schema expects. Errors never repeat values of the request.

/** For each type: a name for its values, and the unit of their size. */
const WORDS: Readonly<Record<string, readonly [name: string, unit: string]>> = {
	string: ['a text', 'characters'],
	array: ['a list', 'items'],
	boolean: ['true or false', ''],
	object: ['an object', ''],
	record: ['an object', ''],
};

/**
 * A zod error map. It says what valid input looks like. If the schema has a message of its own, zod uses that message instead.
 */
export function expectation(issue: z.core.$ZodRawIssue): string {
	switch (issue.code) {
		case 'invalid_type':
			return issue.input === undefined ? `required: ${expectedOf(issue.schema)}` : expectedOf(issue.schema);
		case 'too_big':
		case 'too_small':
			return expectedOf(issue.schema);
		case 'invalid_value':
			return `one of ${issue.values.map(String).join(', ')}`;
		case 'not_multiple_of':
			return `a multiple of ${issue.divisor}`;
		case 'invalid_format':
		case 'unrecognized_keys':
		case 'invalid_union':
		case 'invalid_key':
		case 'invalid_element':
		case 'custom':
			return 'not valid';
	}
}

function expectedOf(schema: z.core.$ZodType | undefined): string {
	if (schema === undefined) return 'not valid';
	const { def } = schema._zod;
	const { least, most } = boundsOf(def);
	if (def.type === 'number') return `${'format' in def ? 'an integer' : 'a number'}${range(least, most, 'from', '')}`;
	const [name, unit] = WORDS[def.type] ?? [def.type, ''];
	return `${name}${range(least, most, 'of', ` ${unit}`)}`;
}

type Bounds = { readonly least: number | null; readonly most: number | null };

function range(least: number | null, most: number | null, from: string, unit: string): string {
	if (least !== null && most !== null) return ` ${from} ${least} to ${most}${unit}`;
	if (most !== null) return ` of at most ${most}${unit}`;
	return least === null ? '' : ` of at least ${least}${unit}`;
}

/** The bounds that a schema sets on a number or on a length. They are inclusive. */
function boundsOf({ checks = [] }: z.core.$ZodTypeDef): Bounds {
	let bounds: Bounds = { least: null, most: null };
	for (const { _zod } of checks) {
		const { def } = _zod;
		const step = Reflect.get(def, 'inclusive') === false ? 1 : 0;
		const bound = [Reflect.get(def, 'value'), Reflect.get(def, 'minimum'), Reflect.get(def, 'maximum')].find(
			(value) => typeof value === 'number',
		);
		if (bound === undefined) continue;
		if (def.check === 'greater_than' || def.check === 'min_length') bounds = { ...bounds, least: bound + step };
		if (def.check === 'less_than' || def.check === 'max_length') bounds = { ...bounds, most: bound - step };
	}
	return bounds;
}
