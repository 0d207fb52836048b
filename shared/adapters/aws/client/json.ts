import { JsonCodec2 } from '@smithy/core/protocols';
import { NormalizedSchema } from '@smithy/core/schema';
import { toUtf8 } from '@smithy/core/serde';
import type { Schema } from '@smithy/types';

// The codecs in this file use JavaScript's own `JSON`. The SDK's codecs walk through their schemas in JavaScript, which is
// slow until V8 has optimised the code, so the bundler leaves the SDK's codecs out.

/** The settings of the SDK's protocols. Times are epoch seconds, unless the model says otherwise. */
const timestampFormat = { useTrait: true, default: 7 } as const;
const rpc = { timestampFormat, jsonName: false } as const;
const rest = { timestampFormat, httpBindings: true, jsonName: true } as const;

/** What a codec does in addition to `JSON.stringify` and `JSON.parse`. Only some services need this. */
type Extras = {
	readonly replacer?: (this: unknown, name: string, value: unknown) => unknown;
	/** Changes a response in place. The SDK's schema says which fields of the response to change. */
	readonly revive?: (schema: Schema, response: unknown) => void;
};

function codecOf(settings: typeof rpc | typeof rest, { replacer, revive }: Extras = {}): JsonCodec2 {
	const codec = new JsonCodec2(settings);
	codec.createSerializer = () => {
		let request: unknown = null;
		return {
			setSerdeContext: () => undefined,
			write(_schema, value) {
				request = value;
			},
			flush: () => Buffer.from(JSON.stringify(request, replacer)),
		};
	};
	codec.createDeserializer = () => ({
		setSerdeContext: () => undefined,
		read(schema, data: string | Uint8Array) {
			const response: unknown = JSON.parse(toUtf8(data));
			revive?.(schema, response);
			return response;
		},
		// The SDK reads the fields of an error with this function.
		readObject: (_schema: unknown, value: unknown) => value,
	});
	return codec;
}

/**
 * Writes bytes as base64. When `JSON.stringify` calls this function, the Buffer's `toJSON` has already replaced `value`, so
 * this function reads the original value from `this`, the object that contains it.
 */
function bytesAsBase64(this: unknown, name: string, value: unknown): unknown {
	const original: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, name) : value;
	return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value;
}

/** Turns base64 into bytes in the top-level fields of a response. */
function base64AsBytes(schema: Schema, response: unknown): void {
	const shape = NormalizedSchema.of(schema);
	if (!shape.isStructSchema() || typeof response !== 'object' || response === null) return;
	for (const [name, member] of shape.structIterator()) {
		const value: unknown = Reflect.get(response, name);
		if (member.isBlobSchema() && typeof value === 'string') Reflect.set(response, name, Buffer.from(value, 'base64'));
	}
}

/** For services without fields of bytes in their JSON. Times in a response stay numbers, because we read no times. */
export const plainJson = (): JsonCodec2 => codecOf(rpc);
/** For services with fields of bytes in their JSON. */
export const jsonWithBytes = (): JsonCodec2 => codecOf(rpc, { replacer: bytesAsBase64, revive: base64AsBytes });
/** For services with a REST protocol. No field of their JSON contains bytes. */
export const restJson = (): JsonCodec2 => codecOf(rest);
