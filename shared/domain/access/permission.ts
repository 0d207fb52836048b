/** The permissions of API keys. `webhooks:read` was added to the three permissions of the specification. */
export const permissions = ['calls:read', 'calls:write', 'webhooks:read', 'webhooks:write'] as const;
export type Permission = (typeof permissions)[number];
