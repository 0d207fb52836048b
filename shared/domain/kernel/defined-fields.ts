type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const isDefined = <V>(value: V): value is Exclude<V, undefined> => value !== undefined;

/** Removes the undefined fields. Schemas and records treat an undefined field and an absent field differently. */
export function definedFields<T extends object>(fields: T): DefinedFields<T> {
	const defined: DefinedFields<T> = {};
	for (const name in fields) {
		const value = fields[name];
		if (isDefined(value)) defined[name] = value;
	}
	return defined;
}
