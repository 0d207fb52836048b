import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Attribute, Attributes } from './wire.ts';

/** A record's fields as native attributes. Throws on what DynamoDB cannot hold (NaN, infinities, functions). */
export function toAttributes(fields: object): Attributes {
	const attributes: Record<string, Attribute> = {};
	for (const [name, value] of Object.entries(fields)) {
		if (value !== undefined) attributes[name] = toAttribute(value);
	}
	return attributes;
}

function toAttribute(value: unknown): Attribute {
	if (value === null) return { NULL: true };
	if (typeof value === 'string') return { S: value };
	if (typeof value === 'boolean') return { BOOL: value };
	if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
	if (Array.isArray(value)) return { L: value.map(toAttribute) };
	if (typeof value === 'object') return { M: toAttributes(value) };
	throw new TypeError(`store: a ${typeof value} cannot be stored`);
}

/** A value as compressed JSON: for lists whose names and times repeat. Throws as `JSON.stringify` does. */
export function toPacked(value: unknown): Attribute {
	return { B: deflateRawSync(JSON.stringify(value)).toString('base64') };
}

/** The inverse of `toAttributes` and `toPacked`: bytes are nothing but packed values. */
export function fromAttributes(attributes: Attributes): Record<string, unknown> {
	const fields: Record<string, unknown> = {};
	for (const name of Object.keys(attributes)) {
		const attribute = attributes[name];
		if (attribute) fields[name] = fromAttribute(attribute);
	}
	return fields;
}

function fromAttribute(attribute: Attribute): unknown {
	if ('S' in attribute) return attribute.S;
	if ('N' in attribute) return Number(attribute.N);
	if ('BOOL' in attribute) return attribute.BOOL;
	if ('L' in attribute) return attribute.L.map(fromAttribute);
	if ('M' in attribute) return fromAttributes(attribute.M);
	if ('B' in attribute) return JSON.parse(inflateRawSync(Buffer.from(attribute.B, 'base64')).toString('utf8'));
	return null;
}
