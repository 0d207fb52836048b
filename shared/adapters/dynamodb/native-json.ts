import type { DynamoDBJsonCodec2 } from '@aws-sdk/dynamodb-codec';

/** Bytes go in base64. A `Buffer` has turned itself into something else by the time it is `value`. */
function asDynamo(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
	const given = this[name];
	if (!(given instanceof Uint8Array)) return value;
	return Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('base64');
}

/**
 * A codec that writes requests by `JSON.stringify`: what DynamoDB is asked is JSON as it is, but for bytes. The SDK's own
 * serialiser writes every byte in JavaScript, which is slow until V8 has optimised it. Answers are read as ever.
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
