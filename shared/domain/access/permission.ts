/** The permissions of API keys. `webhooks:read` is additive to the specification's three. */
export const permissions = ['calls:read', 'calls:write', 'webhooks:read', 'webhooks:write'] as const;
export type Permission = (typeof permissions)[number];
