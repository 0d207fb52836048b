import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnElement, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket, CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import * as z from 'zod/mini';
import type { OwnDomain } from '../properties.ts';
import { acknowledge } from './acknowledge.ts';
import { deploymentLookUp, type LookUpBasis } from './deployment-look-up.ts';
import { goes } from './removal.ts';

const PUBLISHER = 'publish-widget';
const YEAR = Duration.days(365);
/** For how many days a file that was replaced can be restored. */
const FORMER_DAYS = 90;

/**
 * What the build says about its script: its name in this release, its permanent name, and the integrity value with which a
 * page can pin the script.
 */
const Manifest = z.object({ file: z.string(), alias: z.string(), integrity: z.string() });

type WidgetSiteProps = LookUpBasis & {
	/** The owner's domain. Null if the files have only CloudFront's own name. */
	readonly domain: OwnDomain | null;
	readonly removalPolicy: RemovalPolicy;
};

type PublishProps = {
	readonly bucket: IBucket;
	readonly basis: LookUpBasis;
	readonly names: readonly string[];
	readonly manifest: z.infer<typeof Manifest>;
	/** Whether the bucket is emptied when the stack is deleted. */
	readonly empties: boolean;
};

/** The public files of the widget, in a bucket that only CloudFront may read. */
export class WidgetSite extends Construct {
	/**
	 * The permanent name of the script (`script`), its name in this release (`pinned`), and the integrity value with which
	 * a page can pin the script.
	 */
	readonly script: string;
	readonly pinned: string;
	readonly integrity: string;

	readonly distribution: cloudfront.Distribution;

	constructor(scope: Construct, id: string, { domain, removalPolicy, ...basis }: WidgetSiteProps) {
		super(scope, id);
		const folder = join(basis.bundles, PUBLISHER, 'widget');
		const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
		const bucket = this.bucket(removalPolicy);
		this.distribution = this.serve(bucket, domain);
		const host = domain?.name ?? this.distribution.domainName;
		this.publish({ bucket, basis, names: readdirSync(folder).sort(), manifest, empties: goes(removalPolicy) });
		this.script = `https://${host}/${manifest.alias}`;
		this.pinned = `https://${host}/${manifest.file}`;
		this.integrity = manifest.integrity;
	}

	/**
	 * The bucket outlives the stack, because customers' pages refer to its files. The bucket of a throwaway stage is deleted.
	 */
	private bucket(removalPolicy: RemovalPolicy): IBucket {
		const resource = new CfnBucket(this, 'Files', {
			bucketEncryption: {
				serverSideEncryptionConfiguration: [{ serverSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
			},
			// With versions, files that a faulty or malicious release has replaced can be restored.
			versioningConfiguration: { status: 'Enabled' },
			lifecycleConfiguration: {
				rules: [{ status: 'Enabled', noncurrentVersionExpiration: { noncurrentDays: FORMER_DAYS } }],
			},
			publicAccessBlockConfiguration: {
				blockPublicAcls: true,
				blockPublicPolicy: true,
				ignorePublicAcls: true,
				restrictPublicBuckets: true,
			},
		});
		resource.applyRemovalPolicy(removalPolicy);
		acknowledge(resource, {
			'AwsSolutions-S1': 'Public files, read by CloudFront alone: a log of it would tell nothing.',
		});
		const bucket = Bucket.fromCfnBucket(resource);
		const withoutTls = new PolicyStatement({
			effect: Effect.DENY,
			principals: [new AnyPrincipal()],
			actions: ['s3:*'],
			resources: [bucket.bucketArn, bucket.arnForObjects('*')],
			conditions: { Bool: { 'aws:SecureTransport': 'false' } },
		});
		bucket.addToResourcePolicy(withoutTls);
		return bucket;
	}

	/**
	 * A name that is unique in the account. CloudFront's names must be unique across all regions, so each stack needs its
	 * own.
	 */
	private accountWide(name: string): string {
		const { stackName, region } = Stack.of(this);
		return `${stackName}-${region}-${name}`;
	}

	private serve(bucket: IBucket, domain: OwnDomain | null): cloudfront.Distribution {
		const originAccessControl = new cloudfront.S3OriginAccessControl(this, 'Access', {
			originAccessControlName: this.accountWide('widget'),
		});
		const distribution = new cloudfront.Distribution(this, 'Distribution', {
			comment: 'call-back: the widget',
			...(domain && {
				domainNames: [domain.name],
				certificate: domain.certificate,
				minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
			}),
			httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
			defaultBehavior: {
				origin: S3BucketOrigin.withOriginAccessControl(bucket, { originAccessControl }),
				allowedMethods: cloudfront.AllowedMethods.ALLOW_GET_HEAD,
				// CloudFront obeys the Cache-Control of each file.
				cachePolicy: cloudfront.CachePolicy.CACHING_OPTIMIZED,
				compress: true,
				viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
				responseHeadersPolicy: this.headers(),
			},
		});
		acknowledge(distribution, {
			'AwsSolutions-CFR1': 'The widget is for visitors of every country; which numbers are called is a setting.',
			'AwsSolutions-CFR2': 'Static public files: there is nothing behind them that a firewall would protect.',
			'AwsSolutions-CFR3': "It would keep visitors' IP addresses, which we do not need.",
			...(domain === null && {
				'AwsSolutions-CFR4': "CloudFront's own name comes with its own certificate and floor of TLS versions.",
			}),
		});
		return distribution;
	}

	/**
	 * The response headers: any page may load the files, even with an integrity value. No page may show the files in a
	 * frame, and browsers must not guess the types of the files.
	 */
	private headers(): cloudfront.ResponseHeadersPolicy {
		return new cloudfront.ResponseHeadersPolicy(this, 'Headers', {
			responseHeadersPolicyName: this.accountWide('widget'),
			corsBehavior: {
				accessControlAllowOrigins: ['*'],
				accessControlAllowMethods: ['GET', 'HEAD'],
				accessControlAllowHeaders: ['*'],
				accessControlAllowCredentials: false,
				originOverride: true,
			},
			securityHeadersBehavior: {
				contentTypeOptions: { override: true },
				contentSecurityPolicy: { contentSecurityPolicy: "default-src 'none'", override: true },
				frameOptions: { frameOption: cloudfront.HeadersFrameOption.DENY, override: true },
				referrerPolicy: { referrerPolicy: cloudfront.HeadersReferrerPolicy.NO_REFERRER, override: true },
				strictTransportSecurity: { accessControlMaxAge: YEAR, includeSubdomains: true, override: true },
			},
			customHeadersBehavior: {
				customHeaders: [{ header: 'Cross-Origin-Resource-Policy', value: 'cross-origin', override: true }],
			},
		});
	}

	/**
	 * Publishes the widget's files during each deployment that changes them. With `empties`, the function also empties the bucket
	 * before CloudFormation deletes it, because S3 deletes only empty buckets.
	 */
	private publish({ bucket, basis, names, manifest, empties }: PublishProps): void {
		const write = { actions: ['s3:PutObject'], resources: names.map((name) => bucket.arnForObjects(name)) };
		const list = { actions: ['s3:ListBucketVersions'], resources: [bucket.bucketArn] };
		const remove = { actions: ['s3:DeleteObject', 's3:DeleteObjectVersion'], resources: [bucket.arnForObjects('*')] };
		const statements = empties ? [write, list, remove] : [write];
		const { lookUp } = deploymentLookUp(this, {
			...basis,
			name: PUBLISHER,
			description: "puts the widget's files into the bucket at deployment",
			statements: statements.map((each) => new PolicyStatement(each)),
			id: 'Published',
			kind: 'PublishedWidget',
			properties: { Bucket: bucket.bucketName, Release: manifest.file, ...(empties && { Empties: 'true' }) },
		});
		const files = bucket.node.defaultChild;
		if (!empties || !CfnElement.isCfnElement(files)) return;
		acknowledge(lookUp, {
			[`AwsSolutions-IAM5[Resource::<${Stack.of(this).getLogicalId(files)}.Arn>/*]`]:
				'Empties the bucket before it is deleted: of this release, and of every release before.',
		});
	}
}
