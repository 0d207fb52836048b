/** What is said to DynamoDB and what it answers, as far as this adapter uses it (API version 2012-08-10). */
export type Attribute =
	| { readonly S: string }
	| { readonly N: string }
	| { readonly BOOL: boolean }
	| { readonly NULL: true }
	/** Bytes, in base64. */
	| { readonly B: string }
	| { readonly L: readonly Attribute[] }
	| { readonly M: Attributes };
export type Attributes = { readonly [name: string]: Attribute };

type Names = Readonly<Record<string, string>>;
type Metered = { readonly ReturnConsumedCapacity?: 'TOTAL' };
type Table = { readonly TableName: string };
export type Condition = {
	readonly ConditionExpression?: string;
	readonly ExpressionAttributeNames?: Names;
	readonly ExpressionAttributeValues?: Attributes;
	readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD';
};
export type PutInput = Table & Condition & { readonly Item: Attributes };
export type DeleteInput = Table & Condition & { readonly Key: Attributes };
export type UpdateInput = Table &
	Condition & {
		readonly Key: Attributes;
		readonly UpdateExpression: string;
		readonly ReturnValues?: 'UPDATED_NEW';
	};
export type TransactItem =
	| { readonly Put: PutInput }
	| { readonly Delete: DeleteInput }
	| { readonly Update: UpdateInput };
export type QueryInput = Table & {
	readonly IndexName?: string;
	readonly ConsistentRead?: boolean;
	readonly KeyConditionExpression: string;
	readonly ExpressionAttributeNames?: Names;
	readonly ExpressionAttributeValues: Attributes;
	readonly ScanIndexForward?: boolean;
	readonly Limit?: number;
	readonly ExclusiveStartKey?: Attributes;
};
type BatchKeys = {
	readonly [table: string]: { readonly Keys: readonly Attributes[]; readonly ConsistentRead: boolean };
};

/** Units of a table and all its indexes. */
export type Consumed = { readonly CapacityUnits?: number };

/** Operation -> input and output. */
export type DynamoOperations = {
	GetItem: {
		input: Table & Metered & { readonly Key: Attributes; readonly ConsistentRead: boolean };
		output: { readonly Item?: Attributes; readonly ConsumedCapacity?: Consumed };
	};
	PutItem: { input: PutInput & Metered; output: { readonly ConsumedCapacity?: Consumed } };
	DeleteItem: { input: DeleteInput & Metered; output: { readonly ConsumedCapacity?: Consumed } };
	UpdateItem: {
		input: UpdateInput & Metered;
		output: { readonly Attributes?: Attributes; readonly ConsumedCapacity?: Consumed };
	};
	TransactWriteItems: {
		input: Metered & { readonly TransactItems: readonly TransactItem[]; readonly ClientRequestToken: string };
		output: { readonly ConsumedCapacity?: readonly Consumed[] };
	};
	Query: {
		input: QueryInput & Metered;
		output: {
			readonly Items: readonly Attributes[];
			readonly LastEvaluatedKey?: Attributes;
			readonly ConsumedCapacity?: Consumed;
		};
	};
	BatchGetItem: {
		input: Metered & { readonly RequestItems: BatchKeys };
		output: {
			readonly Responses: { readonly [table: string]: readonly Attributes[] };
			readonly UnprocessedKeys?: BatchKeys;
			readonly ConsumedCapacity?: readonly Consumed[];
		};
	};
};
export type DynamoOperation = keyof DynamoOperations;

/** The body of an error, beside its code. */
export type DynamoErrorDetails = {
	/** One for each write of a transaction; `None` for those that were fine. */
	readonly CancellationReasons?: readonly { readonly Code?: string }[];
	/** The item that a condition refused to change, when asked for. */
	readonly Item?: Attributes;
};
