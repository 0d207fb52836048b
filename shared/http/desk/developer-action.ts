import type * as z from 'zod/mini';
import type { Ports } from '../../ports/ports.ts';
import type { SecretVault } from '../../ports/vault.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { countForm } from '../../use-cases/desk/count-form.ts';
import { expectation } from '../edge/expectation.ts';
import type { Fields } from '../edge/request.ts';
import type { Action, ActionOutcome, Actor } from './run-action.ts';

/** What the forms of the developers' pages need. Only a test of an endpoint opens a secret, to sign. */
export type DeveloperDeps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'> & {
	readonly vault: SecretVault;
	readonly sender: WebhookSender;
};
export type Developer = Actor<DeveloperDeps>;

/** What a schema of the API makes of a form; a mistake is said in the API's words. */
export function readAs<S extends z.ZodMiniType>(
	schema: S,
	fields: Fields,
): { readonly value: z.infer<S> } | Extract<ActionOutcome, { readonly invalid: unknown }> {
	const form = schema.safeParse(fields, { error: expectation });
	if (form.success) return { value: form.data };
	const [first] = form.error.issues;
	return { invalid: first?.path.slice(0, 1) ?? [], expected: first?.message ?? '' };
}

/**
 * A row of the table: the form's fields, and the use case that the API or operators have, too. `slowOperation`: that of the
 * API, whose limit counts.
 */
export const developerAction =
	<S extends z.ZodMiniType>(
		schema: S,
		work: (form: z.infer<S>, at: Developer) => Promise<ActionOutcome>,
		slowOperation: string | null = null,
	): Action<DeveloperDeps> =>
	async (fields, at) => {
		const form = readAs(schema, fields);
		if ('invalid' in form) return form;
		return (await countForm(at, slowOperation, at)) ? work(form.value, at) : { refused: 'pressed_often' };
	};
