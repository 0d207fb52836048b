import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { deploymentLookUp, type LookUpBasis } from './deployment-look-up.ts';
import type { Grant } from './service-function.ts';

/**
 * Keys outlive the stack, except those of a failed first deployment: they have sealed nothing, and each costs a dollar a
 * month.
 */
export const KEYS_STAY = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * The keys that AWS does not rotate, oldest first. To replace one, append a name, such as `Number2`, and deploy; the old
 * key then only decrypts, or finds, what was made with it (docs/key-rotation.md).
 */
type Generations = { readonly number: readonly [string, ...string[]]; readonly lookup: readonly [string, ...string[]] };
const GENERATIONS: Generations = { number: ['Number'], lookup: ['Mac'] };

/** The keys of the product. They outlive the stack, because without a key its sealed values are lost. */
export class ServiceKeys extends Construct {
	/** New numbers are sealed with this key. */
	readonly number: Key;
	readonly secret: Key;
	/** New look-up hashes use this key. */
	readonly mac: Key;
	/** Older keys, which find what was hashed before `mac`. */
	readonly formerMacs: readonly Key[];
	/** Every key that may have sealed a stored number, oldest first. */
	private readonly numbers: readonly [Key, ...Key[]];
	/** Base64 of the DER public half of `number`. */
	private readonly publicKey: string;

	constructor(
		scope: Construct,
		id: string,
		{ generations = GENERATIONS, ...basis }: LookUpBasis & { readonly generations?: Generations },
	) {
		super(scope, id);
		const [firstNumber, ...laterNumbers] = generations.number;
		this.numbers = [this.numberKey(firstNumber), ...laterNumbers.map((name) => this.numberKey(name))];
		this.number = this.numbers.at(-1) ?? this.numbers[0];
		this.secret = new Key(this, 'Secret', {
			description: 'Call-back: wraps the data keys of webhook secrets',
			enableKeyRotation: true,
			removalPolicy: KEYS_STAY,
		});
		const [firstMac, ...laterMacs] = generations.lookup;
		const lookup = (name: string): Key => this.macKey(name);
		const [newest, ...former] = [lookup(firstMac), ...laterMacs.map(lookup)].reverse();
		this.mac = newest ?? lookup(firstMac);
		this.formerMacs = former;
		this.publicKey = this.fetchPublicKey(basis);
	}

	private numberKey(name: string): Key {
		return new Key(this, name, {
			description: 'Call-back: opens phone numbers',
			// With a longer key, KMS charges five times as much for each decryption.
			keySpec: KeySpec.RSA_2048,
			keyUsage: KeyUsage.ENCRYPT_DECRYPT,
			removalPolicy: KEYS_STAY,
		});
	}

	private macKey(name: string): Key {
		return new Key(this, name, {
			description: 'Call-back: keyed hashes for look-ups',
			keySpec: KeySpec.HMAC_256,
			keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
			removalPolicy: KEYS_STAY,
		});
	}

	sealNumbers(): Grant {
		const environment = { NUMBER_PUBLIC_KEY: this.publicKey, SEALING_KEY_ID: this.number.keyId };
		return { statements: [], environment };
	}

	openNumbers(): Grant {
		return { statements: [allow('kms:Decrypt', ...this.numbers)], environment: {} };
	}

	sealSecrets(): Grant {
		return {
			statements: [allow('kms:GenerateDataKey', this.secret)],
			environment: { SECRET_KEY_ID: this.secret.keyId },
		};
	}

	openSecrets(): Grant {
		return { statements: [allow('kms:Decrypt', this.secret)], environment: { SECRET_KEY_ID: this.secret.keyId } };
	}

	macs(): Grant {
		const former = this.formerMacs.map((key) => key.keyId).join(',');
		return {
			statements: [allow('kms:GenerateMac', this.mac, ...this.formerMacs)],
			environment: { MAC_KEY_ID: this.mac.keyId, ...(former !== '' && { FORMER_MAC_KEY_IDS: former }) },
		};
	}

	/**
	 * Fetched once, at deployment, so that sealing a number needs no request. A function of ours does it, because CDK's
	 * AwsCustomResource decodes binary responses as UTF-8, which destroys a key.
	 */
	private fetchPublicKey(basis: LookUpBasis): string {
		const answer = deploymentLookUp(this, {
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
