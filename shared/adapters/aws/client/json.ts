import { JsonCodec2 } from '@smithy/core/protocols';
import { toUtf8 } from '@smithy/core/serde';

// The JSON of requests and responses. All requests are written with `JSON.stringify`: the SDK's own serialiser walks its schema in
// JavaScript, which is slow until V8 has optimised it, and the bundler leaves it out.

/** As the SDK configures its protocols. Times: epoch seconds where the model does not say. */
const timestampFormat = { useTrait: true, default: 7 } as const;
const rpc = { timestampFormat, jsonName: false } as const;
const rest = { timestampFormat, httpBindings: true, jsonName: true } as const;

type Replacer = (this: unknown, name: string, value: unknown) => unknown;

function writingWith<Codec extends JsonCodec2>(codec: Codec, replacer?: Replacer): Codec {
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
	return codec;
}

/** Base64 in place of bytes. `JSON.stringify` calls it after a Buffer's `toJSON`, so it looks at the original. */
function bytesAsBase64(this: unknown, name: string, value: unknown): unknown {
	const original: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, name) : value;
	return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value;
}

/** For services whose requests and responses have no bytes, and no times that we read: what they say is JSON as it stands. */
export function plainJson(): JsonCodec2 {
	const codec = writingWith(new JsonCodec2(rpc));
	codec.createDeserializer = () => ({
		setSerdeContext: () => undefined,
		read: (_schema, data: string | Uint8Array) => JSON.parse(toUtf8(data)),
		// The SDK reads the members of an error by it.
		readObject: (_schema: unknown, value: unknown) => value,
	});
	return codec;
}

/** For services with bytes in their JSON. The SDK reads the responses. */
export const jsonWithBytes = (): JsonCodec2 => writingWith(new JsonCodec2(rpc), bytesAsBase64);

/** For services with a REST protocol, whose bodies have no bytes. The SDK reads the responses. */
export const restJson = (): JsonCodec2 => writingWith(new JsonCodec2(rest));
