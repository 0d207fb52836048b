import type { AliasRecordTargetConfig, IAliasRecordTarget } from 'aws-cdk-lib/aws-route53';

/** The target of an alias record of Route 53: `RecordTarget.fromAlias(calls.apiAliasTarget)`. */
export interface AliasTarget extends IAliasRecordTarget {
	/** The name that the record resolves to. Elsewhere than in Route 53, point a CNAME to it. */
	readonly domainName: string;
	/** The hosted zone of that name, which is API Gateway's. */
	readonly hostedZoneId: string;
}

export const aliasTarget = (domainName: string, hostedZoneId: string): AliasTarget => ({
	domainName,
	hostedZoneId,
	bind: (): AliasRecordTargetConfig => ({ dnsName: domainName, hostedZoneId }),
});
