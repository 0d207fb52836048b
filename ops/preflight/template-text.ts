import type { Place } from './plan.ts';

/** The value of a pseudo parameter of CloudFormation. Null if the value is not known before a deployment. */
function pseudoParameter(name: string, { account, region }: Place): string | null {
	switch (name) {
		case 'AWS::AccountId':
			return account;
		case 'AWS::Region':
			return region;
		case 'AWS::Partition':
			return partitionOf(region);
		default:
			return null;
	}
}

/** The partition of a region: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html */
function partitionOf(region: string): string {
	if (region.startsWith('cn-')) return 'aws-cn';
	return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/**
 * The text that a value of a template will have after the deployment. The text is known if the value consists of `Fn::Join`
 * and of `Ref` to pseudo parameters, which is how the CDK writes tokens. Null if the text is known only at the deployment,
 * because the value comes from a resource, another stack or a parameter.
 */
export function textOf(value: unknown, place: Place): string | null {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return null;
	if ('Ref' in value) return typeof value.Ref === 'string' ? pseudoParameter(value.Ref, place) : null;
	if (!('Fn::Join' in value) || !Array.isArray(value['Fn::Join'])) return null;
	const [separator, parts]: readonly unknown[] = value['Fn::Join'];
	if (typeof separator !== 'string' || !Array.isArray(parts)) return null;
	const texts = parts.map((part) => textOf(part, place));
	return texts.includes(null) ? null : texts.join(separator);
}
