import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { askedAtDeployment } from './asked-at-deployment.ts';
import type { Grant } from './service-function.ts';

/** They stay, but for those of a first deployment that failed: nothing was sealed with them, and each costs a dollar a month. */
export const KEYS_STAY = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** The three keys of the product. Losing one loses what it sealed: they outlive the stack. */
export class ServiceKeys extends Construct {
	readonly number: Key;
	readonly secret: Key;
	readonly mac: Key;
	/** Base64 of the DER public half of `number`. */
	private readonly publicKey: string;

	constructor(scope: Construct, id: string, props: { readonly bundles: string }) {
		super(scope, id);
		this.number = new Key(this, 'Number', {
			description: 'Call-back: opens phone numbers',
			// KMS asks five times the price for opening with a longer key.
			keySpec: KeySpec.RSA_2048,
			keyUsage: KeyUsage.ENCRYPT_DECRYPT,
			removalPolicy: KEYS_STAY,
		});
		this.secret = new Key(this, 'Secret', {
			description: 'Call-back: wraps the data keys of webhook secrets',
			enableKeyRotation: true,
			removalPolicy: KEYS_STAY,
		});
		this.mac = new Key(this, 'Mac', {
			description: 'Call-back: keyed hashes for look-ups, cursors and links',
			keySpec: KeySpec.HMAC_256,
			keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
			removalPolicy: KEYS_STAY,
		});
		this.publicKey = this.fetchPublicKey(props.bundles);
	}

	sealNumbers(): Grant {
		return { statements: [], environment: { NUMBER_PUBLIC_KEY: this.publicKey } };
	}

	openNumbers(): Grant {
		return { statements: [allow('kms:Decrypt', this.number)], environment: { NUMBER_KEY_ID: this.number.keyId } };
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
		return { statements: [allow('kms:GenerateMac', this.mac)], environment: { MAC_KEY_ID: this.mac.keyId } };
	}

	/**
	 * Asked once, at deployment, so that sealing a number calls nobody. By a function of our own: CDK's AwsCustomResource
	 * decodes binary answers as UTF-8, which destroys a key.
	 */
	private fetchPublicKey(bundles: string): string {
		const answer = askedAtDeployment(this, {
			bundles,
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

const allow = (action: string, key: Key): PolicyStatement =>
	new PolicyStatement({ actions: [action], resources: [key.keyArn] });
