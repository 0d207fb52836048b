import type { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { deploymentLookUp, type LookUpBasis } from './deployment-look-up.ts';
import { removalOfKey } from './removal.ts';
import { type Grant, variables } from './service-function.ts';

/**
 * The keys that AWS does not rotate, oldest first. To replace a key, append a name, such as `Number2`, and deploy. After
 * that deployment, the old key is used only for existing records: to decrypt their numbers, or to find them
 * (docs/key-rotation.md).
 */
type Generations = Readonly<Record<'number' | 'lookup', OldestFirst<string>>>;
const GENERATIONS: Generations = { number: ['Number'], lookup: ['Mac'] };

type ServiceKeysProps = LookUpBasis & { readonly removalPolicy: RemovalPolicy; readonly generations?: Generations };

/**
 * The keys of the product. The keys outlive the stack, because what was encrypted with a key is lost without this key. The
 * keys of a throwaway stage are deleted with the stack.
 */
export class ServiceKeys extends Construct {
	/** New numbers are encrypted with this key. */
	readonly number: Key;
	readonly secret: Key;
	/** New hashes for look-ups are made with this key. */
	readonly mac: Key;
	/** The keys that were in use before `mac`, newest first. Older hashes are looked up with these keys. */
	readonly formerMacs: readonly Key[];
	/** All keys with which stored numbers may be encrypted, oldest first. */
	private readonly numbers: OldestFirst<Key>;
	/** The public half of `number`, as base64 of its DER form. */
	private readonly publicKey: string;
	private readonly removal: ReturnType<typeof removalOfKey>;

	constructor(scope: Construct, id: string, { removalPolicy, generations = GENERATIONS, ...basis }: ServiceKeysProps) {
		super(scope, id);
		this.removal = removalOfKey(removalPolicy);
		this.numbers = oldestFirst(generations.number, (name) => this.numberKey(name));
		this.number = newestOf(this.numbers);
		this.secret = new Key(this, 'Secret', {
			description: 'Call-back: wraps the data keys of webhook secrets',
			enableKeyRotation: true,
			...this.removal,
		});
		const macs = oldestFirst(generations.lookup, (name) => this.macKey(name));
		this.mac = newestOf(macs);
		this.formerMacs = macs.slice(0, -1).reverse();
		this.publicKey = this.fetchPublicKey(basis);
	}

	private numberKey(name: string): Key {
		return new Key(this, name, {
			description: 'Call-back: opens phone numbers',
			// With a longer key, KMS would charge five times as much for each decryption.
			keySpec: KeySpec.RSA_2048,
			keyUsage: KeyUsage.ENCRYPT_DECRYPT,
			...this.removal,
		});
	}

	private macKey(name: string): Key {
		return new Key(this, name, {
			description: 'Call-back: keyed hashes for look-ups',
			keySpec: KeySpec.HMAC_256,
			keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
			...this.removal,
		});
	}

	sealNumbers(): Grant {
		return variables({ NUMBER_PUBLIC_KEY: this.publicKey, SEALING_KEY_ID: this.number.keyId });
	}

	openNumbers(): Grant {
		return variables({}, [allow('kms:Decrypt', ...this.numbers)]);
	}

	sealSecrets(): Grant {
		return variables({ SECRET_KEY_ID: this.secret.keyId }, [allow('kms:GenerateDataKey', this.secret)]);
	}

	openSecrets(): Grant {
		return variables({ SECRET_KEY_ID: this.secret.keyId }, [allow('kms:Decrypt', this.secret)]);
	}

	macs(): Grant {
		const former = this.formerMacs.map((key) => key.keyId).join(',');
		const environment = { MAC_KEY_ID: this.mac.keyId, ...(former !== '' && { FORMER_MAC_KEY_IDS: former }) };
		return variables(environment, [allow('kms:GenerateMac', this.mac, ...this.formerMacs)]);
	}

	/**
	 * Gets the public key once, during a deployment, so that encrypting a number needs no request. A function of ours gets the
	 * key, because CDK's AwsCustomResource decodes binary responses as UTF-8, which destroys a key.
	 */
	private fetchPublicKey(basis: LookUpBasis): string {
		const { answer } = deploymentLookUp(this, {
			...basis,
			name: 'number-public-key',
			description: 'fetches the public half of the number key at deployment',
			statements: [allow('kms:GetPublicKey', this.number)],
			id: 'NumberPublicKey',
			kind: 'NumberPublicKey',
			properties: { KeyId: this.number.keyId },
		});
		return answer.getAttString('PublicKey');
	}
}

const allow = (action: string, ...keys: readonly Key[]): PolicyStatement =>
	new PolicyStatement({ actions: [action], resources: keys.map((key) => key.keyArn) });

type OldestFirst<T> = readonly [T, ...T[]];
const oldestFirst = <T>([first, ...later]: OldestFirst<string>, create: (name: string) => T): OldestFirst<T> => [
	create(first),
	...later.map(create),
];
const newestOf = <T>(all: OldestFirst<T>): T => all.at(-1) ?? all[0];
