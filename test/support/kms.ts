import { constants, createHmac, generateKeyPairSync, privateDecrypt, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Input = {
	KeyId: string;
	CiphertextBlob: string;
	Message: string;
	EncryptionContext?: object;
	EncryptionAlgorithm?: string;
};

/** KMS with three keys (`numbers`, `secrets`, `macs`), as far as the adapters speak to it. */
export async function startKms() {
	const numbers = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const wrapped = new Map<string, { plaintext: string; context: string }>();
	const macKey = randomBytes(32);
	const operations: Record<string, (input: Input) => object | null> = {
		GetPublicKey: () => ({ PublicKey: numbers.publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }),
		GenerateDataKey({ KeyId, EncryptionContext }) {
			if (KeyId !== 'secrets') return null;
			const made = {
				Plaintext: randomBytes(32).toString('base64'),
				CiphertextBlob: randomBytes(64).toString('base64'),
			};
			wrapped.set(made.CiphertextBlob, { plaintext: made.Plaintext, context: JSON.stringify(EncryptionContext) });
			return made;
		},
		GenerateMac: ({ KeyId, Message }) =>
			KeyId === 'macs' ? { Mac: createHmac('sha256', macKey).update(Message, 'base64').digest('base64') } : null,
		Decrypt({ KeyId, CiphertextBlob, EncryptionContext, EncryptionAlgorithm }) {
			if (KeyId === 'secrets') {
				const found = wrapped.get(CiphertextBlob);
				return found?.context === JSON.stringify(EncryptionContext) ? { Plaintext: found?.plaintext } : null;
			}
			if (KeyId !== 'numbers' || EncryptionAlgorithm !== 'RSAES_OAEP_SHA_256') return null;
			const key = { key: numbers.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
			return { Plaintext: privateDecrypt(key, Buffer.from(CiphertextBlob, 'base64')).toString('base64') };
		},
	};
	const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
		const answer = operations[operation]?.(JSON.parse(Buffer.concat(chunks).toString())) ?? null;
		response.writeHead(answer ? 200 : 400).end(JSON.stringify(answer ?? { __type: 'InvalidCiphertextException' }));
	}
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return {
		endpoint: `http://127.0.0.1:${address.port}`,
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
