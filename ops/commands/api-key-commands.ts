import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { ApiKeyName } from '../../shared/contract/access/api-key.ts';
import type { ApiKey } from '../../shared/domain/access/api-key.ts';
import { type Permission, permissions } from '../../shared/domain/access/permission.ts';
import { definedFields } from '../../shared/domain/kernel/defined-fields.ts';
import { createApiKey, revokeApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { everyItem } from '../../shared/use-cases/kernel/list-page.ts';
import { type CommandAction, group, NO_WORKSPACE, WORKSPACE } from '../command.ts';
import { checked } from '../input/checked.ts';
import { OperatorError } from '../operator-error.ts';

/** What an operator sees of a key. The hash is left out. The fields are in an order that is convenient for people. */
function publicFields({ id, workspace_id, name, permissions, created_at, revoked_at, made_by }: ApiKey) {
	return { id, workspace_id, name, permissions, created_at, revoked_at, ...definedFields({ made_by }) };
}

function collectPermissions(name: string, before: readonly Permission[] | undefined): readonly Permission[] {
	const permission = permissions.find((item) => item === name);
	if (permission === undefined) throw new InvalidArgumentError(`It is one of ${permissions.join(', ')}.`);
	return [...(before ?? []), permission];
}

const create = (act: CommandAction) =>
	new Command('create')
		.description('Create an API key. It is printed once, and never again.')
		.requiredOption(...WORKSPACE)
		.option('--name <text>', 'what the key is for', 'server')
		.option('--permission <name>', `one of ${permissions.join(', ')}; repeatable (default: all)`, collectPermissions)
		.action(
			act(async ({ workspace, name, permission = permissions }, deps) => {
				const key = { workspace_id: workspace, name: checked(ApiKeyName, name), permissions: permission };
				const outcome = await createApiKey(key, deps);
				if ('refused' in outcome) throw new OperatorError(NO_WORKSPACE);
				return { ...publicFields(outcome.key), api_key: outcome.secret };
			}),
		);

const list = (act: CommandAction) =>
	new Command('list')
		.description('List all API keys of a workspace, newest first, and when each was last used.')
		.requiredOption(...WORKSPACE)
		.action(
			act(async ({ workspace }, { store }) => {
				const range = { from_id: null, before_id: null };
				const keys: ApiKey[] = [];
				for await (const key of everyItem('api_key', workspace, range, store)) keys.unshift(key);
				const uses = await Promise.all(keys.map(({ id }) => store.get('api_key_use', { id })));
				return keys.map((key, i) => {
					const { workspace_id: _workspace_id, ...rest } = publicFields(key);
					return { ...rest, last_used_at: uses[i]?.last_used_at ?? null };
				});
			}),
		);

const revoke = (act: CommandAction) =>
	new Command('revoke')
		.description('Revoke an API key at once and for good.')
		.requiredOption('--api-key <id>', 'the key: the 26 characters after cbk_live_')
		.action(
			act(async ({ apiKey }, deps) => {
				const result = await revokeApiKey({ id: apiKey }, deps);
				if (result.outcome === 'not_found') throw new OperatorError('no API key has this id');
				return publicFields(result.key);
			}),
		);

export const apiKeyCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	group(act, 'api-key', 'API keys of a workspace’s servers', [create, list, revoke]),
];
