import { JsonCodec2 } from '@smithy/core/protocols';
import { NormalizedSchema } from '@smithy/core/schema';
import { toUtf8 } from '@smithy/core/serde';
import type { Schema } from '@smithy/types';

// The JSON of requests and responses is written and read by `JSON`: the SDK's own classes walk their schemas in JavaScript, which is
// slow until V8 has optimised it. The bundler leaves them out.

/** As the SDK configures its protocols. Times are epoch seconds unless the model says otherwise. */
const timestampFormat = { useTrait: true, default: 7 } as const;
const rpc = { timestampFormat, jsonName: false } as const;
const rest = { timestampFormat, httpBindings: true, jsonName: true } as const;

/** What a service needs in addition to `JSON`. */
type Extras = {
	readonly replacer?: (this: unknown, name: string, value: unknown) => unknown;
	/** Changes a response in place, by the SDK's schema of it. */
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
		// The SDK reads the members of an error with it.
		readObject: (_schema: unknown, value: unknown) => value,
	});
	return codec;
}

/** Base64 in place of bytes. `JSON.stringify` calls it after a Buffer's `toJSON`, so it looks at the original. */
function bytesAsBase64(this: unknown, name: string, value: unknown): unknown {
	const original: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, name) : value;
	return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value;
}

/** Replaces base64 by bytes, in the direct members of a response. */
function base64AsBytes(schema: Schema, response: unknown): void {
	const shape = NormalizedSchema.of(schema);
	if (!shape.isStructSchema() || typeof response !== 'object' || response === null) return;
	for (const [name, member] of shape.structIterator()) {
		const value: unknown = Reflect.get(response, name);
		if (member.isBlobSchema() && typeof value === 'string') Reflect.set(response, name, Buffer.from(value, 'base64'));
	}
}

/** For services without bytes in their JSON. Times in a response stay numbers: we read none. */
export const plainJson = (): JsonCodec2 => codecOf(rpc);
/** For services with bytes in their JSON. */
export const jsonWithBytes = (): JsonCodec2 => codecOf(rpc, { replacer: bytesAsBase64, revive: base64AsBytes });
/** For services with a REST protocol, whose bodies have no bytes. */
export const restJson = (): JsonCodec2 => codecOf(rest);
