import * as z from 'zod/mini';
import { ApiKeyName, ApiKeyPermissions } from '../../contract/workspaces/api-key.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import { permissions } from '../../domain/workspaces/permission.ts';
import type { Ports } from '../../ports/ports.ts';
import { countForm } from '../../use-cases/desk/count-form.ts';
import { keepToShow } from '../../use-cases/desk/shown-once.ts';
import { countSecret, tellOwners } from '../../use-cases/leads/secret-notice.ts';
import { createApiKey, revokeApiKey } from '../../use-cases/workspaces/api-keys.ts';
import type { Fields } from '../request.ts';
import type { DeveloperAct } from './roles.ts';
import { type Act, type Actor, actsAtDesk, type Outcome, readForm } from './run-act.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'>;

/** A row of the table: the form's fields, and the use case that the API or operators have, too. */
const act = <S extends z.ZodMiniType<object>>(
	schema: S,
	work: (form: z.infer<S>, at: Actor<Deps>) => Promise<Outcome>,
): Act<Deps> =>
	readForm(schema, async (form, at) =>
		(await countForm(at, null, at)) ? work(form, at) : { refused: 'pressed_often' },
	);

const byId = z.object({ id: z.string().check(z.regex(ID_PATTERN)) });

/** The form has a tick for each permission. */
const newKey = z.pipe(
	z.transform(({ key_name, ...fields }: Fields) => {
		return { key_name, permissions: permissions.filter((each) => fields[each] === 'yes') };
	}),
	z.object({ key_name: ApiKeyName, permissions: ApiKeyPermissions }),
);

async function createKey({ key_name: name, permissions }: z.infer<typeof newKey>, at: Actor<Deps>): Promise<Outcome> {
	const { workspace, person, press } = at;
	if (press === null) return { invalid: ['shown'] };
	if (!(await countSecret(workspace.id, at))) return { refused: 'secrets_enough' };
	const notices = tellOwners(workspace, { what: 'key_created', about: name, by: person.address }, at);
	const outcome = await createApiKey(
		{ workspace_id: workspace.id, name, permissions },
		{
			...at,
			keepAnswer: ({ key, secret }) => [
				at.lineAbout(name),
				keepToShow(at, press, { secret, resource_id: key.id }, at),
				...notices.writes,
			],
		},
	);
	if ('refused' in outcome) return { refused: 'not_found' };
	await notices.send();
	return newKeyPage(press);
}

const newKeyPage = (press: string): Outcome => ({ link: `keys?made=${press}` });

/** What the forms of the developers' pages ask for. */
export const actOfDeveloper = actsAtDesk<DeveloperAct, Deps>(
	{
		key_created: act(newKey, createKey),
		key_revoked: act(byId, async ({ id }, at) => {
			const key = { workspace_id: at.workspace.id, id };
			const { outcome } = await revokeApiKey(key, { ...at, line: ({ name }) => at.lineAbout(name) });
			return outcome === 'revoked' ? { done: true } : { refused: outcome };
		}),
	},
	{ key_created: newKeyPage },
);
