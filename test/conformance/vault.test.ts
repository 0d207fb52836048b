import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { localKms } from '../../local/aws/kms.ts';
import { WORKER_BUDGET } from '../../shared/adapters/aws/client/client.ts';
import { kmsMacs, kmsPublicKeys, kmsSecretVault } from '../../shared/adapters/aws/keys/kms.ts';
import { kmsNumberOpener, kmsNumberSealer } from '../../shared/adapters/aws/keys/number-vault.ts';
import { loseRequest, refuse, startWire, type Wire } from '../support/aws/faulty-wire.ts';
import { testAws } from '../support/aws/stand-ins.ts';

const NUMBER = '+12025550101';
const OWNER = { workspace_id: '01K0000000000000000000000W', id: '01K0000000000000000000000E' };
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let directory: string;
let wire: Wire;
const env = () => ({ ...testAws, AWS_ENDPOINT_URL_KMS: wire.endpoint });
const operations = () => wire.seen.map(({ operation }) => operation);
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), 'kms-'));
	const kms = localKms(directory);
	wire = await startWire(({ operation, body }) => {
		const answer = kms.respond(operation, JSON.parse(body));
		return { status: answer.status, body: JSON.stringify(answer.body) };
	});
});
afterAll(async () => {
	await wire.stop();
	await rm(directory, { recursive: true });
});
beforeEach(() => void wire.seen.splice(0));

describe('a phone number', () => {
	const sealer = async (SEALING_KEY_ID = 'numbers') =>
		kmsNumberSealer({ SEALING_KEY_ID, NUMBER_PUBLIC_KEY: await kmsPublicKeys(env())(SEALING_KEY_ID) });
	const opener = () => kmsNumberOpener(env());

	it('is sealed without a request, and decrypted by KMS', async () => {
		const { sealNumber } = await sealer();
		wire.seen.length = 0;
		const sealed = sealNumber(NUMBER);
		expect(operations()).toEqual([]);
		expect(await opener().openNumber(sealed)).toBe(NUMBER);
		expect(operations()).toEqual(['Decrypt']);
	});

	it('does not appear in its sealed form, which is different each time', async () => {
		const { sealNumber } = await sealer();
		const sealed = [sealNumber(NUMBER), sealNumber(NUMBER)];
		expect(new Set(sealed).size).toBe(2);
		for (const text of sealed)
			expect(Buffer.from(text.split('.')[2] ?? '', 'base64url').includes('2025550101')).toBe(false);
	});

	it('names its key, so that numbers of a replaced key and of the new key both decrypt', async () => {
		const sealed = [(await sealer()).sealNumber(NUMBER), (await sealer('numbers-2')).sealNumber(NUMBER)];
		for (const each of sealed) expect(await opener().openNumber(each)).toBe(NUMBER);
		await expect(opener().openNumber(sealed[1]?.replace('numbers-2', 'numbers') ?? '')).rejects.toThrow(
			/InvalidCiphertext/,
		);
	});

	it('that was modified does not decrypt, and the error does not contain it', async () => {
		const sealed = (await sealer()).sealNumber(NUMBER);
		await expect(opener().openNumber(NUMBER)).rejects.toThrow(/^vault: not a sealed number$/);
		wire.fail(refuse('InvalidCiphertextException'));
		await expect(opener().openNumber(sealed)).rejects.toThrow(/^kms: Decrypt failed with InvalidCiphertextException$/);
	});
});

describe('a webhook secret', () => {
	const vault = () => kmsSecretVault({ ...env(), SECRET_KEY_ID: 'secrets' });

	it('is decrypted unchanged, in any process', async () => {
		const sealed = await vault().sealSecret(SECRET, OWNER);
		expect(await vault().openSecret(sealed, OWNER)).toBe(SECRET);
	});

	it('has its own data key, and does not appear in its sealed form', async () => {
		const { sealSecret } = vault();
		const one = await sealSecret(SECRET, OWNER);
		const other = await sealSecret(SECRET, OWNER);
		expect(operations()).toEqual(['GenerateDataKey', 'GenerateDataKey']);
		expect(one.split('.')[1]).not.toBe(other.split('.')[1]);
		expect(one).not.toContain(SECRET.slice(6));
	});

	it('is decrypted with one call to KMS, for repeated and concurrent uses', async () => {
		const sealed = await vault().sealSecret(SECRET, OWNER);
		const { openSecret } = vault();
		wire.seen.length = 0;
		expect(await Promise.all([openSecret(sealed, OWNER), openSecret(sealed, OWNER)])).toEqual([SECRET, SECRET]);
		expect(await openSecret(sealed, OWNER)).toBe(SECRET);
		expect(operations()).toEqual(['Decrypt']);
	});

	it.each([0, 1, 2, 3])('whose part %i was modified does not decrypt', async (part) => {
		const parts = (await vault().sealSecret(SECRET, OWNER)).split('.');
		parts[part] = `A${parts[part]?.slice(1).replace(/^./, (first) => (first === 'B' ? 'C' : 'B'))}`;
		await expect(vault().openSecret(parts.join('.'), OWNER)).rejects.toThrow();
	});

	it.each([
		['another endpoint', { id: '01K0000000000000000000000F' }],
		['another workspace', { workspace_id: '01K0000000000000000000000X' }],
	])('that is copied to the record of %s does not open: neither its key nor its text', async (_, other) => {
		const { sealSecret, openSecret } = vault();
		const sealed = await sealSecret(SECRET, OWNER);
		expect(await openSecret(sealed, OWNER)).toBe(SECRET);
		const stolen = { ...OWNER, ...other };
		await expect(openSecret(sealed, stolen)).rejects.toThrow('InvalidCiphertextException');
		// The thief takes a data key that opens for the thief's own endpoint. The text that was encrypted for the victim still
		// does not open.
		const parts = sealed.split('.');
		parts[1] = (await sealSecret(SECRET, stolen)).split('.')[1] ?? '';
		await expect(openSecret(parts.join('.'), stolen)).rejects.toThrow();
	});

	it('opens after KMS was away for a moment, and a failure is not remembered', async () => {
		const sealed = await vault().sealSecret(SECRET, OWNER);
		const { openSecret } = vault();
		wire.fail(loseRequest, refuse('ThrottlingException'));
		expect(await openSecret(sealed, OWNER)).toBe(SECRET);
		const fresh = vault();
		wire.fail(refuse('AccessDeniedException'));
		await expect(fresh.openSecret(sealed, OWNER)).rejects.toThrow('kms: Decrypt failed with AccessDeniedException');
		expect(await fresh.openSecret(sealed, OWNER)).toBe(SECRET);
	});
});

describe('a derived key', () => {
	const macs = () => kmsMacs({ ...env(), MAC_KEY_ID: 'macs' });

	it('is the same in every process, and different for each purpose', async () => {
		const here = macs();
		const there = macs();
		const key = await here.key('address-lookup');
		expect(key).toHaveLength(32);
		expect(await there.key('address-lookup')).toEqual(key);
		expect(await there.key('number-lookup')).not.toEqual(key);
	});

	it('may take longer to arrive from KMS in a process for which no client waits', async () => {
		const busy = [1, 2, 3].map(() => refuse('ThrottlingException'));
		wire.fail(...busy);
		await expect(macs().key('address-lookup')).rejects.toThrow('kms: GenerateMac failed with ThrottlingException');
		wire.fail(...busy);
		const patient = kmsMacs({ ...env(), MAC_KEY_ID: 'macs' }, WORKER_BUDGET);
		expect(await patient.key('address-lookup')).toHaveLength(32);
	});

	it('comes with the keys that it replaced, newest first', async () => {
		const replaced = kmsMacs({ ...env(), MAC_KEY_ID: 'macs-3', FORMER_MAC_KEY_IDS: 'macs-2,macs' });
		const former = (await replaced.former?.('number-lookup')) ?? [];
		const [second, first] = await Promise.all(
			['macs-2', 'macs'].map((MAC_KEY_ID) => kmsMacs({ ...env(), MAC_KEY_ID }).key('number-lookup')),
		);
		expect(former).toEqual([second, first]);
		expect(await replaced.key('number-lookup')).not.toEqual(second);
		expect(await macs().former?.('number-lookup')).toEqual([]);
	});

	it('is requested from KMS only once in a process', async () => {
		const { key } = macs();
		await Promise.all([key('address-lookup'), key('address-lookup'), key('number-lookup')]);
		await key('address-lookup');
		expect(operations()).toEqual(['GenerateMac', 'GenerateMac']);
	});
});
