/** The fields of an `application/x-www-form-urlencoded` body; a repeated name keeps all its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

/** Runs in linear time, even if a name is repeated many times, because unauthenticated requests reach this code. */
export function readForm(body: string): FormFields {
	const fields = new Map<string, string[]>();
	for (const [name, value] of new URLSearchParams(body)) {
		const values = fields.get(name);
		if (values === undefined) fields.set(name, [value]);
		else values.push(value);
	}
	return fields;
}
