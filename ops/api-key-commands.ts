import type { ApiKey } from '../shared/domain/workspaces/api-key.ts';
import { type Permission, permissions } from '../shared/domain/workspaces/permission.ts';
import { listPage } from '../shared/use-cases/kernel/list-page.ts';
import { createApiKey, revokeApiKey } from '../shared/use-cases/workspaces/api-keys.ts';
import { type Command, NO_WORKSPACE, OperatorError, optionalText, string, text, texts } from './command.ts';

/** A key without its hash. */
function shown(key: ApiKey) {
	const { secret_hash: _hash, version: _version, ...rest } = key;
	return rest;
}

function permission(name: string): Permission {
	const found = permissions.find((item) => item === name);
	if (found === undefined) throw new OperatorError(`--permission is one of ${permissions.join(', ')}`);
	return found;
}

const create: Command = {
	words: 'api-key create',
	help: `--workspace WORKSPACE_ID [--name N] [--permission ${permissions.join('|')} …] (all without --permission); the key is shown once`,
	options: { workspace: string, name: string, permission: { type: 'string', multiple: true } },
	run: async (options, deps) => {
		const chosen = texts(options, 'permission').map(permission);
		const input = {
			workspace_id: text(options, 'workspace'),
			name: optionalText(options, 'name') ?? 'server',
			permissions: chosen.length === 0 ? permissions : chosen,
		};
		const outcome = await createApiKey(input, deps);
		if ('refused' in outcome) throw new OperatorError(NO_WORKSPACE);
		return { ...shown(outcome.key), api_key: outcome.secret };
	},
};

const list: Command = {
	words: 'api-key list',
	help: '--workspace WORKSPACE_ID',
	options: { workspace: string },
	run: async (options, deps) => {
		const range = { workspace_id: text(options, 'workspace'), from_id: null, before_id: null, limit: 100 };
		const page = await listPage('api_key', range, () => true, deps.store);
		const uses = await Promise.all(page.items.map(({ id }) => deps.store.get('api_key_use', { id })));
		return page.items.map((key, i) => ({ ...shown(key), last_used_at: uses[i]?.last_used_at ?? null }));
	},
};

const revoke: Command = {
	words: 'api-key revoke',
	help: '--id API_KEY_ID (the 26 characters after cbk_live_)',
	options: { id: string },
	run: async (options, deps) => {
		const outcome = await revokeApiKey(text(options, 'id'), deps);
		if ('refused' in outcome) throw new OperatorError('no API key has this id');
		return shown(outcome.key);
	},
};

export const apiKeyCommands: readonly Command[] = [create, list, revoke];
