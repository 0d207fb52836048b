import type { DynamoDBJsonCodec2 } from '@aws-sdk/dynamodb-codec';

/** Bytes are base64. Read them from `this`, because a `Buffer` has already converted itself in `value`. */
function asDynamo(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
	const given = this[name];
	if (!(given instanceof Uint8Array)) return value;
	return Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('base64');
}

/**
 * A codec that writes requests with `JSON.stringify`: apart from bytes, requests to DynamoDB are plain JSON. The SDK's own
 * serialiser writes every byte in JavaScript, which is slow until V8 has optimised it. Responses are read by the SDK's
 * codec.
 */
export function nativeJson(codec: DynamoDBJsonCodec2): DynamoDBJsonCodec2 {
	codec.createSerializer = () => {
		let asked: unknown = null;
		return {
			setSerdeContext: () => undefined,
			write(_schema, value) {
				asked = value;
			},
			flush: () => Buffer.from(JSON.stringify(asked, asDynamo)),
		};
	};
	return codec;
}
