import { isDeepStrictEqual } from 'node:util';
import type { Resource, Template } from '../../local/template.ts';

/**
 * Resources that a stack keeps for years, or whose names and addresses other systems know. The lists name the properties whose
 * change makes CloudFormation replace the resource ("Update requires: Replacement" in AWS's reference of each resource).
 */
const KEPT: Readonly<Record<string, readonly string[]>> = {
	'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
	'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
	'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
	'AWS::S3::Bucket': ['BucketName', 'ObjectLockEnabled'],
	'AWS::Logs::LogGroup': ['LogGroupName'],
	'AWS::ApiGatewayV2::Api': ['ProtocolType'],
	'AWS::ApiGatewayV2::Stage': ['ApiId', 'StageName'],
	'AWS::CloudFront::Distribution': [],
	// Operators and their tools find an alarm by its name.
	'AWS::CloudWatch::Alarm': ['AlarmName'],
};
const TABLE = 'AWS::DynamoDB::Table';
const INDEXES = 'GlobalSecondaryIndexes';

type Named = Readonly<Record<string, unknown>>;

/** The parts of a template that `takenAway` compares, with the type of every resource. */
export function sampleOf({ Resources, Outputs = {} }: Template): Template {
	const resources = Object.entries(Resources).map(([id, { Type, Properties = {} }]) => {
		const compared = [...(KEPT[Type] ?? []), ...(Type === TABLE ? [INDEXES] : [])];
		const kept = Object.entries(Properties).filter(([name]) => compared.includes(name));
		return [id, { Type, ...(kept.length > 0 && { Properties: Object.fromEntries(kept) }) }] as const;
	});
	return { Resources: Object.fromEntries(resources), Outputs };
}

/** What CloudFormation would remove or replace if `now` were deployed over `before`. */
export function takenAway(before: Template, now: Template): readonly string[] {
	const resources = Object.entries(before.Resources).flatMap(([id, resource]) => {
		const after = now.Resources[id];
		return resource.Type in KEPT ? changesOf(id, resource, after) : [];
	});
	const outputs = Object.entries(before.Outputs ?? {}).flatMap(([name, output]) => {
		const after = now.Outputs?.[name];
		if (after === undefined) return [`the output ${name} is gone`];
		return isDeepStrictEqual(Reflect.get(output, 'Export'), Reflect.get(after, 'Export'))
			? []
			: [`the output ${name} has another export`];
	});
	return [...resources, ...outputs];
}

/** How many resources and outputs of a template `takenAway` compares, by type. */
export function compared({ Resources, Outputs = {} }: Template): string {
	const counts = Object.keys(KEPT).map((type) => {
		const count = Object.values(Resources).filter(({ Type }) => Type === type).length;
		return `${count} ${type.replace(/^AWS::/, '')}`;
	});
	return [...counts, `${Object.keys(Outputs).length} outputs`].join(', ');
}

function changesOf(id: string, before: Resource, now: Resource | undefined): readonly string[] {
	const { Type: type } = before;
	if (now?.Type !== type) return [`${id} (${type}) is gone: its place in the stack or its type changed`];
	const replacing = (KEPT[type] ?? []).filter(
		(name) => !isDeepStrictEqual(before.Properties?.[name], now.Properties?.[name]),
	);
	return [
		...replacing.map((name) => `${id} (${type}) is replaced: another ${name}`),
		...(type === TABLE ? indexChanges(id, before, now) : []),
	];
}

const indexesOf = ({ Properties = {} }: Resource): readonly Named[] => {
	const indexes = Properties[INDEXES];
	return Array.isArray(indexes) ? indexes : [];
};

/** Reports changed indexes. CloudFormation rebuilds a changed index, and one update of a table may create or delete only one. */
function indexChanges(id: string, before: Resource, now: Resource): readonly string[] {
	const former = indexesOf(before);
	const later = indexesOf(now);
	const has = (all: readonly Named[], { IndexName, KeySchema, Projection }: Named): boolean =>
		all.some((each) =>
			isDeepStrictEqual([each['IndexName'], each['KeySchema'], each['Projection']], [IndexName, KeySchema, Projection]),
		);
	const gone = former
		.filter((each) => !has(later, each))
		.map(({ IndexName }) => `${id}: the index ${IndexName} is gone`);
	const added = later.filter((each) => !has(former, each)).length;
	return [...gone, ...(added > 1 ? [`${id}: ${added} new indexes; one deployment can add one`] : [])];
}
