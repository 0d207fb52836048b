import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { counter, duePrefix, listPrefix, records, table } from '../../shared/adapters/dynamodb/table.ts';
import type { RecordName } from '../../shared/ports/store.ts';
import type { FullAccess } from '../function-access.ts';
import type { Grant } from './service-function.ts';
import { KEYS_STAY } from './service-keys.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The one table, made from its definition, under a key of our own. */
export class DataTable extends Construct {
	readonly table: Table;

	constructor(scope: Construct, id: string) {
		super(scope, id);
		this.table = new Table(this, 'Table', {
			partitionKey: text(table.partition_key),
			sortKey: text(table.sort_key),
			billingMode: BillingMode.PAY_PER_REQUEST,
			pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
			deletionProtection: true,
			removalPolicy: RemovalPolicy.RETAIN,
			encryption: TableEncryption.CUSTOMER_MANAGED,
			encryptionKey: this.key(),
			timeToLiveAttribute: table.ttl_attribute,
		});
		for (const index of Object.values(table.indexes)) {
			this.table.addGlobalSecondaryIndex({
				indexName: index.name,
				partitionKey: text(index.partition_key),
				sortKey: text(index.sort_key),
				projectionType: ProjectionType.KEYS_ONLY,
			});
		}
	}

	/** Just the calls that a function makes of the store, on just the partitions of the records it may touch. */
	grant(access: FullAccess): Grant {
		const { by_workspace, by_due } = table.indexes;
		const index = (name: string) => `${this.table.tableArn}/index/${name}`;
		const own = this.table.tableArn;
		const listed = access.list.map(listPrefix);
		const statements = [
			allow('dynamodb:GetItem', own, prefixes(access.get)),
			allow('dynamodb:Query', own, prefixes(access.query)),
			allow('dynamodb:Query', index(by_workspace.name), listed),
			// Reads of the same moment travel together.
			allow('dynamodb:BatchGetItem', own, prefixes([...access.get, ...access.list])),
			allow('dynamodb:Query', index(by_due.name), access.due ? [duePrefix] : []),
			allow('dynamodb:PutItem', own, prefixes(access.put)),
			allow('dynamodb:DeleteItem', own, prefixes(access.remove)),
			allow(
				'dynamodb:UpdateItem',
				own,
				access.count.map((group) => counter.prefixes[group]),
			),
		].flat();
		return { statements, environment: statements.length === 0 ? {} : { TABLE_NAME: this.table.tableName } };
	}

	/** Whoever may use the table may use the key through it, and in no other way: what AWS does for its own key. */
	private key(): Key {
		const { account, region } = Stack.of(this);
		const key = new Key(this, 'Key', {
			enableKeyRotation: true,
			description: 'Call-back: the table at rest',
			removalPolicy: KEYS_STAY,
		});
		key.addToResourcePolicy(
			new PolicyStatement({
				principals: [new AnyPrincipal()],
				actions: [
					'kms:Encrypt',
					'kms:Decrypt',
					'kms:ReEncrypt*',
					'kms:GenerateDataKey*',
					'kms:CreateGrant',
					'kms:DescribeKey',
				],
				resources: ['*'],
				conditions: {
					StringEquals: { 'kms:CallerAccount': account, 'kms:ViaService': `dynamodb.${region}.amazonaws.com` },
				},
			}),
		);
		return key;
	}
}

const prefixes = (names: readonly RecordName[]): string[] =>
	[...new Set(names.map((name) => records[name].prefix))].sort();

function allow(action: string, resource: string, keys: readonly string[]): PolicyStatement[] {
	if (keys.length === 0) return [];
	const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys.map((key) => `${key}*`) } };
	return [new PolicyStatement({ effect: Effect.ALLOW, actions: [action], resources: [resource], conditions })];
}
