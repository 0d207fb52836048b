/** The smallest possible function: measures how long Node.js itself takes to start and answer. */
export const handler = async () => ({ statusCode: 202, body: '{}' });
