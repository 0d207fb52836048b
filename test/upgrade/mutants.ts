/**
 * What breaks the line between two releases, in one place of today's code: the text `from`, which occurs once in the file, becomes
 * `to`. `in`: the steps of a release have to find it, or the comparison of its types.
 */
export type Mutant = {
	readonly name: string;
	readonly in: 'steps' | 'types';
	readonly file: string;
	readonly from: string;
	readonly to: string;
};

const CALL = 'shared/domain/calls/call.ts';
const MESSAGES = 'shared/messages/schemas.ts';
const REGISTRY = 'shared/ports/registry.ts';

export const mutants: readonly Mutant[] = [
	{
		name: 'rename the key of a record',
		in: 'steps',
		file: 'shared/adapters/dynamodb/table.ts',
		from: "kind('CALL', 'id')",
		to: "kind('CALLS', 'id')",
	},
	{
		name: 'read a stored field by another name',
		in: 'steps',
		file: 'shared/http/present-delivery.ts',
		from: 'last_attempt?.started_at',
		to: "last_attempt?.['began_at' as 'started_at']",
	},
	{
		name: 'tighten the guard of sessions',
		in: 'steps',
		file: 'shared/domain/desk/session-cookie.ts',
		from: 'session.expires_at_epoch_s * 1000 > now_ms',
		to: 'session.expires_at_epoch_s * 1000 > now_ms + 40 * 86_400_000',
	},
	{
		name: 'refuse a timer of the sweep',
		in: 'steps',
		file: MESSAGES,
		from: 'at: z.nullable(z.string())',
		to: 'at: z.string()',
	},
	{
		name: 'require who invites',
		in: 'steps',
		file: MESSAGES,
		from: 'invited_by: z.optional(z.string())',
		to: 'invited_by: z.string()',
	},
	{
		name: 'read messages of legs by another name',
		in: 'steps',
		file: MESSAGES,
		from: 'z.object({ call_id: z.string(), leg_id: z.string() })',
		to: 'z.object({ call_id: z.string(), leg: z.string() })',
	},
	{
		name: 'drop the address of instructions',
		in: 'steps',
		file: 'shared/contract/calls/telephony.ts',
		from: "'/telephony/{call_id}/{leg_id}/instructions'",
		to: "'/legs/{call_id}/{leg_id}/instructions'",
	},
	{
		name: 'make addresses of legs in another form',
		in: 'steps',
		file: 'shared/adapters/telephony/provider-http.ts',
		from: '`leg-address\\n',
		to: '`leg\\n',
	},
	{
		name: 'drop the address of links of leads',
		in: 'steps',
		file: 'shared/contract/leads/callback-links.ts',
		from: "'GET', '/callback-links/{token}'",
		to: "'GET', '/call-back/{token}'",
	},
	{
		name: 'name the cookie anew',
		in: 'steps',
		file: 'shared/domain/desk/session-cookie.ts',
		from: "'__Host-desk'",
		to: "'__Host-session'",
	},
	{
		name: 'make tokens of forms in another form',
		in: 'steps',
		file: 'shared/domain/desk/csrf-token.ts',
		from: "'form of the desk'",
		to: "'form'",
	},
	{
		name: 'seal what is shown once in another form',
		in: 'steps',
		file: 'shared/domain/desk/shown-once.ts',
		from: "update('shown once')",
		to: "update('once')",
	},
	{
		name: 'shorten the fingerprint of cursors',
		in: 'steps',
		file: 'shared/domain/kernel/cursor.ts',
		from: 'FINGERPRINT_CHARS = 16',
		to: 'FINGERPRINT_CHARS = 12',
	},
	{
		name: 'find responses by other parts',
		in: 'steps',
		file: 'shared/domain/kernel/idempotency.ts',
		from: 'JSON.stringify([workspace_id, operation, resource_id, key])',
		to: 'JSON.stringify([operation, workspace_id, resource_id, key])',
	},
	{
		name: 'open no secret of before',
		in: 'steps',
		file: 'shared/adapters/aws/keys/kms.ts',
		from: "FORMAT = 's2'",
		to: "FORMAT = 's3'",
	},
	{
		name: 'open no number of before',
		in: 'steps',
		file: 'shared/adapters/aws/keys/number-vault.ts',
		from: "SEALED_NUMBER = 'n2.'",
		to: "SEALED_NUMBER = 'n3.'",
	},
	{
		name: 'hash numbers for another purpose',
		in: 'steps',
		file: 'shared/ports/vault.ts',
		from: "['number-lookup',",
		to: "['numbers',",
	},
	{
		name: 'hash API keys in another form',
		in: 'steps',
		file: 'shared/domain/workspaces/api-key.ts',
		from: "createHash('sha256').update(key).digest('hex')",
		to: "createHash('sha256').update(key).digest('base64url')",
	},
	{
		name: 'sign in one form only',
		in: 'steps',
		file: 'shared/domain/webhooks/webhook-signature.ts',
		from: '`v1=${',
		to: '`v2=${',
	},
	{
		name: 'refuse open forms of the look',
		in: 'steps',
		file: 'shared/http/desk/sections.ts',
		from: "greeting: greeting ?? '' };",
		to: "greeting: greeting ?? '', font: '' };",
	},
	{
		name: 'require an optional member',
		in: 'types',
		file: CALL,
		from: 'readonly reference?: string;',
		to: 'readonly reference: string;',
	},
	{
		name: 'rename a member',
		in: 'types',
		file: CALL,
		from: 'readonly source_url: string;',
		to: 'readonly page_url: string;',
	},
	{
		name: 'tighten a type',
		in: 'types',
		file: CALL,
		from: 'readonly visitor_name: string | null;',
		to: 'readonly visitor_name: string;',
	},
	{
		name: 'write a null that was a text',
		in: 'types',
		file: CALL,
		from: 'readonly visitor_phone_masked: string;',
		to: 'readonly visitor_phone_masked: string | null;',
	},
	{ name: 'take a value away', in: 'types', file: CALL, from: "\t'voicemail',\n", to: '' },
	{
		name: 'write a new value at once',
		in: 'types',
		file: CALL,
		from: "'completed', 'failed', 'canceled'] as const",
		to: "'completed', 'failed', 'canceled', 'parked'] as const",
	},
	{
		name: 'change a type',
		in: 'types',
		file: 'shared/domain/workspaces/site-use.ts',
		from: 'readonly seen_at: string;',
		to: 'readonly seen_at: number;',
	},
	{
		name: 'rename a member of a message',
		in: 'types',
		file: REGISTRY,
		from: "'dial-legs': { readonly call_id: string; readonly leg_id: string };",
		to: "'dial-legs': { readonly call_id: string; readonly leg: string };",
	},
	{
		name: 'remove a kind of record',
		in: 'types',
		file: REGISTRY,
		from: '\tsite_use: { item: SiteUse; key: { readonly workspace_id: string; readonly origin: string } };\n',
		to: '',
	},
];
