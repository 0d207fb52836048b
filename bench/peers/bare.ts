/** The least a function can be: what Node.js itself takes to start and answer. */
export const handler = async () => ({ statusCode: 202, body: '{}' });
