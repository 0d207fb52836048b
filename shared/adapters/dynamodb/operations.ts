import {
	BatchGetItem$,
	type BatchGetItemCommand,
	GetItem$,
	type GetItemCommand,
	PutItem$,
	type PutItemCommand,
	Query$,
	type QueryCommand,
	TransactWriteItems$,
	type TransactWriteItemsCommand,
	UpdateItem$,
	type UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { operation } from '../aws/client/operation.ts';

export const getItem = operation<GetItemCommand>(GetItem$);
export const batchGetItem = operation<BatchGetItemCommand>(BatchGetItem$);
export const query = operation<QueryCommand>(Query$);
export const putItem = operation<PutItemCommand>(PutItem$);
export const transactWriteItems = operation<TransactWriteItemsCommand>(TransactWriteItems$);
export const updateItem = operation<UpdateItemCommand>(UpdateItem$);
