import base from './jest.config.js';

/** The tests of everything that speaks to the table, on one DynamoDB Local: `npm run dynamodb-local` starts it and runs them. */
export default { ...base, setupFilesAfterEnv: ['<rootDir>/test/dynamodb-local/drop-tables.ts'] };
