/** The fields of an `application/x-www-form-urlencoded` body; a repeated name keeps all its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

export function readForm(body: string): FormFields {
	const fields = new Map<string, readonly string[]>();
	for (const [name, value] of new URLSearchParams(body)) fields.set(name, [...(fields.get(name) ?? []), value]);
	return fields;
}

export function writeForm(fields: readonly (readonly [name: string, value: string])[]): string {
	const form = new URLSearchParams();
	for (const [name, value] of fields) form.append(name, value);
	return form.toString();
}
