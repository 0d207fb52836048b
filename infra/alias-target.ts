import type { AliasRecordTargetConfig, IAliasRecordTarget } from 'aws-cdk-lib/aws-route53';

/** The target of an alias record of Route 53. Use it with `RecordTarget.fromAlias(calls.apiAliasTarget)`. */
export interface AliasTarget extends IAliasRecordTarget {
	/** The name to which the record leads. If your DNS is not Route 53, point a CNAME to it. */
	readonly domainName: string;
	/** The id of the hosted zone of that name. The zone belongs to API Gateway. */
	readonly hostedZoneId: string;
}

export const aliasTarget = (domainName: string, hostedZoneId: string): AliasTarget => ({
	domainName,
	hostedZoneId,
	bind: (): AliasRecordTargetConfig => ({ dnsName: domainName, hostedZoneId }),
});
