import { type RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import {
	counter,
	duePrefix,
	listPrefix,
	listsByEndpoint,
	listsByStatus,
	records,
	table,
} from '../../shared/adapters/dynamodb/table.ts';
import { STORED_FORM, STORED_FORM_TAG } from '../../shared/domain/kernel/stored-form.ts';
import type { ListedName, RecordName } from '../../shared/ports/registry.ts';
import type { FullAccess } from '../access.ts';
import { goes, removalOfKey } from './removal.ts';
import { type Grant, variables } from './service-function.ts';

const textKey = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The only table. The table is built from the definition in shared/adapters/dynamodb/table.ts, and is encrypted with a key
 * of our own.
 */
export class DataTable extends Construct {
	readonly table: Table;

	/**
	 * With `RemovalPolicy.DESTROY`, the table and its key are deleted with the stack, and the table has no protection against
	 * deletion.
	 */
	constructor(scope: Construct, id: string, removalPolicy: RemovalPolicy) {
		super(scope, id);
		this.table = new Table(this, 'Table', {
			partitionKey: textKey(table.partition_key),
			sortKey: textKey(table.sort_key),
			billingMode: BillingMode.PAY_PER_REQUEST,
			pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
			deletionProtection: !goes(removalPolicy),
			removalPolicy,
			encryption: TableEncryption.CUSTOMER_MANAGED,
			encryptionKey: this.key(removalPolicy),
			timeToLiveAttribute: table.ttl_attribute,
		});
		Tags.of(this.table).add(STORED_FORM_TAG, String(STORED_FORM));
		for (const index of Object.values(table.indexes)) {
			this.table.addGlobalSecondaryIndex({
				indexName: index.name,
				partitionKey: textKey(index.partition_key),
				sortKey: textKey(index.sort_key),
				projectionType: ProjectionType.KEYS_ONLY,
			});
		}
	}

	/** Allows a function exactly its operations on the store, and only on the partitions of its records. */
	grant(access: FullAccess): Grant {
		const { by_workspace, by_status, by_endpoint, by_due } = table.indexes;
		const index = (name: string) => `${this.table.tableArn}/index/${name}`;
		const own = this.table.tableArn;
		const names = access.names ? [counter.prefixes.names] : [];
		const counters = access.used ? [counter.prefixes.any] : names;
		const reads = [...access.get, ...access.list];
		const statements = [
			allow('dynamodb:GetItem', own, [...prefixes(access.get), ...counters]),
			// A function reads with BatchGetItem if several reads begin at the same moment. Counters can be among these
			// reads.
			allow('dynamodb:BatchGetItem', own, [...prefixes(reads), ...counters]),
			allow('dynamodb:Query', own, [...prefixes(access.query), ...(access.tallies ? [counter.prefixes.tally] : [])]),
			allow('dynamodb:Query', index(by_workspace.name), listPrefixes(access.list)),
			allow('dynamodb:Query', index(by_status.name), listPrefixes(access.list.filter(listsByStatus))),
			allow('dynamodb:Query', index(by_endpoint.name), listPrefixes(access.list.filter(listsByEndpoint))),
			allow('dynamodb:Query', index(by_due.name), access.due ? [duePrefix] : []),
			...writes(own, [
				{ action: 'dynamodb:PutItem', keys: prefixes(access.put) },
				{ action: 'dynamodb:DeleteItem', keys: prefixes(access.remove) },
				{ action: 'dynamodb:UpdateItem', keys: access.count.map((group) => counter.prefixes[group]) },
			]),
		].flat();
		return variables(statements.length === 0 ? {} : { TABLE_NAME: this.table.tableName }, statements);
	}

	/**
	 * The table's key. Principals that may use the table may use the key, but only through DynamoDB, as with a key that AWS
	 * owns.
	 */
	private key(removalPolicy: RemovalPolicy): Key {
		const { account, region } = Stack.of(this);
		const key = new Key(this, 'Key', {
			enableKeyRotation: true,
			description: 'Call-back: the table at rest',
			...removalOfKey(removalPolicy),
		});
		const through = { 'kms:CallerAccount': account, 'kms:ViaService': `dynamodb.${region}.amazonaws.com` };
		const principal = new AnyPrincipal().withConditions({ StringEquals: through });
		key.grant(
			principal,
			'kms:Encrypt',
			'kms:Decrypt',
			'kms:ReEncrypt*',
			'kms:GenerateDataKey*',
			'kms:CreateGrant',
			'kms:DescribeKey',
		);
		return key;
	}
}

const prefixes = (names: readonly RecordName[]): string[] =>
	[...new Set(names.map((name) => records[name].prefix))].sort();

const listPrefixes = (names: readonly ListedName[]): string[] => names.map(listPrefix);

const LEADING_KEYS = 'dynamodb:LeadingKeys';
const startingWith = (keys: readonly string[]) => ({ [LEADING_KEYS]: keys.map((key) => `${key}*`) });

function allow(action: string, resource: string, keys: readonly string[]): PolicyStatement[] {
	return keys.length === 0 ? [] : [statement(action, resource, { 'ForAllValues:StringLike': startingWith(keys) })];
}

function statement(action: string, resource: string, conditions: Record<string, unknown>): PolicyStatement {
	return new PolicyStatement({ effect: Effect.ALLOW, actions: [action], resources: [resource], conditions });
}

/**
 * Permissions for writes. Every commit is a transaction. AWS documents that each write in a transaction needs a permission of
 * its own. AWS does not document which leading keys the condition sees for one write: the keys of this write, the keys of the
 * whole transaction, or none. A verb is a kind of write, such as `PutItem`. If a role needs only one verb, one statement works
 * in all three cases. If the role needs several verbs, each verb has two statements. The first statement allows the keys of all
 * verbs if at least one of these keys belongs to this verb. The second statement allows a request without leading keys
 * (docs/decisions/0081-roles-hold-under-every-reading-of-leading-keys.md).
 */
function writes(
	resource: string,
	verbs: readonly { readonly action: string; readonly keys: readonly string[] }[],
): PolicyStatement[] {
	const usedVerbs = verbs.filter(({ keys }) => keys.length > 0);
	if (usedVerbs.length < 2) return usedVerbs.flatMap(({ action, keys }) => allow(action, resource, keys));
	const all = [...new Set(usedVerbs.flatMap(({ keys }) => keys))].sort();
	return usedVerbs.flatMap(({ action, keys }) => [
		statement(action, resource, {
			'ForAllValues:StringLike': startingWith(all),
			'ForAnyValue:StringLike': startingWith(keys),
		}),
		statement(action, resource, { Null: { [LEADING_KEYS]: 'true' } }),
	]);
}
