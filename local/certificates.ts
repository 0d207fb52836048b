import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	BasicConstraintsExtension,
	ExtendedKeyUsage,
	ExtendedKeyUsageExtension,
	KeyUsageFlags,
	KeyUsagesExtension,
	SubjectAlternativeNameExtension,
	type X509Certificate,
	X509CertificateGenerator,
} from '@peculiar/x509';
import { writeWhole } from './write-whole.ts';

/** A local certificate authority, and a certificate for localhost that this authority has signed, as PEM texts. */
export type Certificates = {
	readonly ca_pem: string;
	readonly ca_file: string;
	readonly cert_pem: string;
	readonly key_pem: string;
};

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const YEARS_MS = 5 * 365 * 24 * 3_600_000;

type Pair = Awaited<ReturnType<typeof newPair>>;

export async function newPair() {
	return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function dates() {
	const now = Date.now();
	return { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + YEARS_MS) };
}

export async function authority(keys: Pair): Promise<X509Certificate> {
	return await X509CertificateGenerator.createSelfSigned({
		serialNumber: '01',
		// The name is unique, because if two trusted authorities have the same name, TLS tries only one of them.
		name: `CN=Call-Back local authority ${randomBytes(4).toString('hex')}`,
		...dates(),
		keys,
		signingAlgorithm: ALGORITHM,
		extensions: [
			new BasicConstraintsExtension(true, 0, true),
			new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
		],
	});
}

type Leaf = {
	readonly keys: Pair;
	readonly ca: Pick<X509Certificate, 'subject'>;
	readonly signingKey: webcrypto.CryptoKey;
};
type Validity = { readonly notBefore: Date; readonly notAfter: Date };

/** Creates a server certificate for these names, and signs it with an authority. */
export async function leaf(
	{ keys, ca, signingKey }: Leaf,
	names: readonly { readonly type: 'dns' | 'ip'; readonly value: string }[],
	validity: Validity = dates(),
): Promise<X509Certificate> {
	return await X509CertificateGenerator.create({
		serialNumber: '02',
		subject: `CN=${names[0]?.value}`,
		issuer: ca.subject,
		...validity,
		publicKey: keys.publicKey,
		signingKey,
		signingAlgorithm: ALGORITHM,
		extensions: [
			new SubjectAlternativeNameExtension([...names]),
			new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
		],
	});
}

const LOCALHOST = [
	{ type: 'dns', value: 'localhost' },
	{ type: 'ip', value: '127.0.0.1' },
] as const;

export async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
	const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
	return `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

/** Returns the certificates in a directory. If there are none, creates certificates for localhost and for `hosts`. */
export async function localCertificates(directory: string, hosts: readonly string[] = []): Promise<Certificates> {
	const file = (name: string): string => join(directory, name);
	if (!existsSync(file('inbox.key'))) {
		const [caKeys, leafKeys] = await Promise.all([newPair(), newPair()]);
		const ca = await authority(caKeys);
		const names = [...LOCALHOST, ...hosts.map((value) => ({ type: 'dns', value }) as const)];
		const cert = await leaf({ keys: leafKeys, ca, signingKey: caKeys.privateKey }, names);
		writeWhole(file('ca.pem'), `${ca.toString('pem')}\n`);
		writeWhole(file('inbox.pem'), `${cert.toString('pem')}\n`);
		writeWhole(file('inbox.key'), await keyPem(leafKeys.privateKey));
	}
	const readText = (name: string): string => readFileSync(file(name), 'utf8');
	const ca_pem = readText('ca.pem');
	const cert_pem = readText('inbox.pem');
	const key_pem = readText('inbox.key');
	return { ca_pem, ca_file: file('ca.pem'), cert_pem, key_pem };
}
