import type { Permission } from './permission.ts';

/** A server client's key: shown once, stored as a SHA-256 hash. */
export type ApiKey = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly name: string;
	readonly secret_hash: string;
	readonly permissions: readonly Permission[];
	readonly created_at: string;
	readonly revoked_at: string | null;
	readonly last_used_at: string | null;
};
