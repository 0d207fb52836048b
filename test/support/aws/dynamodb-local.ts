/** Whether the tests run on Amazon's DynamoDB Local (`npm run lab -- dynamodb-local`), which differs from AWS in a few places. */
export const onDynamodbLocal = process.env['CALL_BACK_DYNAMODB'] === 'local';
