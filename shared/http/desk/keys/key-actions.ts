import * as z from 'zod/mini';
import { ApiKeyName, ApiKeyPermissions } from '../../../contract/access/api-key.ts';
import { permissions } from '../../../domain/access/permission.ts';
import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { createApiKey, revokeApiKey } from '../../../use-cases/access/api-keys.ts';
import { keepToShow } from '../../../use-cases/desk/shown-once.ts';
import { countSecret, tellOwners } from '../../../use-cases/notices/secret-notice.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { asRequest, defineAction, formOf, type Uses } from '../define-action.ts';

const newKey = z.pipe(
	z.transform(({ key_name, ...fields }: Fields) => {
		return { key_name, permissions: permissions.filter((each) => fields[each] === 'yes') };
	}),
	z.object({ key_name: ApiKeyName, permissions: ApiKeyPermissions }),
);

/** Makes an API key. The page that follows shows its secret, once. */
export const createKey = defineAction(formOf(newKey), {
	limit: asRequest(),
	audit: { with: ['api_key'], about: ({ key_name }) => key_name },
	next: (_, press) => ({ link: `keys?made=${press}` }),
	run: async ({ key_name: name, permissions }, by, deps: Uses<'queues'>) => {
		const { workspace, person, press } = by;
		if (press === null) return { invalid: ['shown'] };
		if (!(await countSecret(workspace.id, deps))) return { refused: 'secrets_enough' };
		const notices = tellOwners(workspace, { what: 'key_created', about: name, by: person.address }, deps);
		const newKey = { workspace_id: workspace.id, name, permissions, made_by: person.address };
		const outcome = await createApiKey(newKey, {
			...deps,
			keepResponse: ({ key, secret }) => [
				keepToShow(by, press, { secret, resource_id: key.id }, deps),
				...notices.writes,
			],
		});
		if ('refused' in outcome) return { refused: 'not_found' };
		await notices.send();
		return { done: true };
	},
});

export const revokeKey = defineAction(formOf(z.object({ id: z.string().check(z.regex(ID_PATTERN)) })), {
	limit: asRequest(),
	audit: { with: ['api_key'], about: async ({ id }, _, { store }) => (await store.get('api_key', { id }))?.name },
	run: async ({ id }, { workspace }, deps: Uses) => {
		const { outcome } = await revokeApiKey({ workspace_id: workspace.id, id }, deps);
		return outcome === 'revoked' ? { done: true } : { refused: outcome };
	},
});
