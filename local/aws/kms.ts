import {
	constants,
	createCipheriv,
	createDecipheriv,
	createHmac,
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	type KeyObject,
	privateDecrypt,
	randomBytes,
} from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnce } from '../write-whole.ts';

// A stand-in for the part of KMS that the product uses. The keys are files that only their owner can read.

type Input = Readonly<Record<string, unknown>>;
export type KmsResponse = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

const textField = (input: Input, name: string): string => String(input[name] ?? '');
const bytesField = (input: Input, name: string): Buffer => Buffer.from(textField(input, name), 'base64');
const refusal = (type: string): KmsResponse => ({ status: 400, body: { __type: type } });
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The encryption context as text. The order of its pairs does not change the text. */
function contextOf(input: Input): Buffer {
	const context = input['EncryptionContext'];
	const pairs = typeof context === 'object' && context !== null ? Object.entries(context) : [];
	return Buffer.from(JSON.stringify(pairs.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The keys in a directory. Each key is created when the key is first used. */
export function localKms(directory: string) {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	const keys = new Map<string, Buffer>();
	const load = (name: string, make: () => Buffer): Buffer => {
		const cachedKey = keys.get(name);
		if (cachedKey !== undefined) return cachedKey;
		const file = join(directory, name);
		writeOnce(file, make);
		const key = readFileSync(file);
		keys.set(name, key);
		return key;
	};
	const symmetric = (id: string): Buffer => load(`${id}.key`, () => randomBytes(32));
	const pair = (id: string): KeyObject => {
		const make = (): Buffer => {
			const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
			return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }));
		};
		return createPrivateKey(load(`${id}.pem`, make));
	};
	const publicKey = (id: string): string =>
		createPublicKey(pair(id)).export({ type: 'spki', format: 'der' }).toString('base64');

	const operations: Readonly<Record<string, (id: string, input: Input) => Readonly<Record<string, unknown>> | null>> = {
		GetPublicKey: (id) => ({ KeyId: id, PublicKey: publicKey(id) }),
		GenerateMac: (id, input) => {
			const Mac = createHmac('sha256', symmetric(id)).update(bytesField(input, 'Message')).digest('base64');
			return { KeyId: id, Mac, MacAlgorithm: 'HMAC_SHA_256' };
		},
		GenerateDataKey: (id, input) => {
			const plain = randomBytes(32);
			const CiphertextBlob = wrap(symmetric(id), plain, contextOf(input)).toString('base64');
			return { KeyId: id, Plaintext: plain.toString('base64'), CiphertextBlob };
		},
		Decrypt: (id, input) => {
			const blob = bytesField(input, 'CiphertextBlob');
			const plain =
				textField(input, 'EncryptionAlgorithm') === 'RSAES_OAEP_SHA_256'
					? openRsa(pair(id), blob)
					: unwrap(symmetric(id), blob, contextOf(input));
			return plain === null ? null : { KeyId: id, Plaintext: plain.toString('base64') };
		},
	};

	return {
		publicKey,
		/** Handles one request of the AWS JSON 1.1 protocol. */
		respond(operation: string, input: Input): KmsResponse {
			const run = operations[operation];
			if (run === undefined) return refusal('UnknownOperationException');
			const id = textField(input, 'KeyId').split('/').at(-1) ?? '';
			if (id === '') return refusal('NotFoundException');
			const body = run(id, input);
			return body === null ? refusal('InvalidCiphertextException') : { status: 200, body };
		},
	};
}
export type LocalKms = ReturnType<typeof localKms>;

function wrap(key: Buffer, plain: Buffer, context: Buffer): Buffer {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(context);
	return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unwrap(key: Buffer, blob: Buffer, context: Buffer): Buffer | null {
	try {
		const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, IV_BYTES)).setAAD(context);
		decipher.setAuthTag(blob.subarray(-TAG_BYTES));
		return Buffer.concat([decipher.update(blob.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
	} catch {
		return null;
	}
}

function openRsa(key: KeyObject, blob: Buffer): Buffer | null {
	try {
		return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, blob);
	} catch {
		return null;
	}
}
