import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';
import type { Checksum, SourceData } from '@smithy/types';

/** Key objects by their bytes. The signer caches the bytes of a day's signing key and passes the same array each time. */
const keys = new WeakMap<object, KeyObject>();

function keyOf(secret: SourceData): KeyObject | string {
	if (typeof secret === 'string') return secret;
	const cached = keys.get(secret);
	if (cached !== undefined) return cached;
	const key = createSecretKey(ArrayBuffer.isView(secret) ? bytesOf(secret) : new Uint8Array(secret));
	keys.set(secret, key);
	return key;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);

/**
 * SHA-256 for the SDK's signer, with Node.js. The SDK's own creates a key object for every HMAC, which takes longer than
 * the HMAC.
 */
export class NodeSha256 implements Checksum {
	#hash: Hash | Hmac;
	readonly #secret: SourceData | undefined;

	constructor(secret?: SourceData) {
		this.#secret = secret;
		this.#hash = this.#start();
	}
	update(chunk: Uint8Array): void {
		this.#hash.update(chunk);
	}
	async digest(): Promise<Uint8Array> {
		return this.#hash.digest();
	}
	reset(): void {
		this.#hash = this.#start();
	}
	#start(): Hash | Hmac {
		return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(this.#secret));
	}
}
