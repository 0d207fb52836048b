/** The fields of an `application/x-www-form-urlencoded` body; a repeated name keeps all its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

/** Takes time in proportion to the body, however often a name is repeated: strangers send these before they are known. */
export function readForm(body: string): FormFields {
	const fields = new Map<string, string[]>();
	for (const [name, value] of new URLSearchParams(body)) {
		const values = fields.get(name);
		if (values === undefined) fields.set(name, [value]);
		else values.push(value);
	}
	return fields;
}
