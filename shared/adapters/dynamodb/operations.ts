import {
	BatchGetItem$,
	type BatchGetItemCommandInput,
	type BatchGetItemCommandOutput,
	GetItem$,
	type GetItemCommandInput,
	type GetItemCommandOutput,
	PutItem$,
	type PutItemCommandInput,
	type PutItemCommandOutput,
	Query$,
	type QueryCommandInput,
	type QueryCommandOutput,
	TransactWriteItems$,
	type TransactWriteItemsCommandInput,
	type TransactWriteItemsCommandOutput,
	UpdateItem$,
	type UpdateItemCommandInput,
	type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { operation } from '../aws/client/operation.ts';

export const getItem = operation<GetItemCommandInput, GetItemCommandOutput>(GetItem$);
export const batchGetItem = operation<BatchGetItemCommandInput, BatchGetItemCommandOutput>(BatchGetItem$);
export const query = operation<QueryCommandInput, QueryCommandOutput>(Query$);
export const putItem = operation<PutItemCommandInput, PutItemCommandOutput>(PutItem$);
export const transactWriteItems = operation<TransactWriteItemsCommandInput, TransactWriteItemsCommandOutput>(
	TransactWriteItems$,
);
export const updateItem = operation<UpdateItemCommandInput, UpdateItemCommandOutput>(UpdateItem$);
