import * as z from 'zod/mini';
import { ApiKeyName, ApiKeyPermissions } from '../../contract/access/api-key.ts';
import { permissions } from '../../domain/access/permission.ts';
import { createApiKey, revokeApiKey } from '../../use-cases/access/api-keys.ts';
import { keepToShow } from '../../use-cases/desk/shown-once.ts';
import { countSecret, tellOwners } from '../../use-cases/notices/secret-notice.ts';
import type { Fields } from '../edge/request.ts';
import { sendDeliveryAgain, sentAgain } from './delivery-action.ts';
import { type DeveloperDeps, developerAction } from './developer-action.ts';
import {
	changeEndpoint,
	createEndpoint,
	deleteEndpoint,
	disableEndpoint,
	enableEndpoint,
	endpointForm,
	newSecretPage,
	rotateSecret,
	savedEndpoint,
	testEndpoint,
} from './endpoint-actions.ts';
import { recoverMissed } from './recovery-action.ts';
import type { DeveloperAction } from './roles.ts';
import { type ActionOutcome, actionRunner } from './run-action.ts';

const newKey = z.pipe(
	z.transform(({ key_name, ...fields }: Fields) => {
		return { key_name, permissions: permissions.filter((each) => fields[each] === 'yes') };
	}),
	z.object({ key_name: ApiKeyName, permissions: ApiKeyPermissions }),
);

const createKey = developerAction(newKey, async ({ key_name: name, permissions }, at) => {
	const { workspace, person, press } = at;
	if (press === null) return { invalid: ['shown'] };
	if (!(await countSecret(workspace.id, at))) return { refused: 'secrets_enough' };
	const notices = tellOwners(workspace, { what: 'key_created', about: name, by: person.address }, at);
	const outcome = await createApiKey(
		{ workspace_id: workspace.id, name, permissions, made_by: person.address },
		{
			...at,
			keepResponse: ({ key, secret }) => [
				at.entryAbout(name),
				keepToShow(at, press, { secret, resource_id: key.id }, at),
				...notices.writes,
			],
		},
	);
	if ('refused' in outcome) return { refused: 'not_found' };
	await notices.send();
	return newKeyPage(press);
});

const newKeyPage = (press: string): ActionOutcome => ({ link: `keys?made=${press}` });

const revokeKey = developerAction(endpointForm, async ({ id }, at) => {
	const key = { workspace_id: at.workspace.id, id };
	const { outcome } = await revokeApiKey(key, { ...at, entry: ({ name }) => at.entryAbout(name) });
	return outcome === 'revoked' ? { done: true } : { refused: outcome };
});

const sameEndpoint = (_press: string, { id = '' }: Fields) => savedEndpoint(id);

/** What the forms of the developers' pages ask for, by the words of the audit list. A test is sent at each press. */
export const runDeveloperAction = actionRunner<DeveloperAction, DeveloperDeps>(
	{
		key_created: createKey,
		key_revoked: revokeKey,
		endpoint_created: createEndpoint,
		endpoint_changed: changeEndpoint,
		endpoint_enabled: enableEndpoint,
		endpoint_disabled: disableEndpoint,
		endpoint_tested: testEndpoint,
		endpoint_deleted: deleteEndpoint,
		secret_rotated: rotateSecret,
		deliveries_recovered: recoverMissed,
		delivery_retried: sendDeliveryAgain,
	},
	{
		key_created: newKeyPage,
		endpoint_created: newSecretPage,
		endpoint_changed: sameEndpoint,
		endpoint_enabled: sameEndpoint,
		endpoint_disabled: sameEndpoint,
		secret_rotated: newSecretPage,
		endpoint_tested: null,
		deliveries_recovered: sameEndpoint,
		delivery_retried: sentAgain,
	},
);
