type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const isDefined = <V>(value: V): value is Exclude<V, undefined> => value !== undefined;

/**
 * The fields without those that are undefined. To a schema and in a record, an undefined field is not the same as an absent
 * one.
 */
export function definedFields<T extends object>(fields: T): DefinedFields<T> {
	const defined: DefinedFields<T> = {};
	for (const name in fields) {
		const value = fields[name];
		if (isDefined(value)) defined[name] = value;
	}
	return defined;
}
