import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { type EventKind, eventKinds } from '../../shared/domain/webhooks/event.ts';
import { listEvents } from '../../shared/use-cases/webhooks/list-events.ts';
import { type CommandAction, group, WORKSPACE } from '../command.ts';

function collectKind(value: string, before: readonly EventKind[] | undefined): readonly EventKind[] {
	const kind = eventKinds.find((each) => each === value);
	if (kind === undefined) throw new InvalidArgumentError(`It takes one of ${eventKinds.join(', ')}.`);
	return [...(before ?? []), kind];
}

const list = (act: CommandAction) =>
	new Command('list')
		.description("List a workspace's newest 50 events of the last 30 days, and the call or lead of each.")
		.requiredOption(...WORKSPACE)
		.option('--event <type>', `an event type, one of ${eventKinds.join(', ')}; repeatable (default: all)`, collectKind)
		.action(
			act(async ({ workspace: workspace_id, event: kinds }, deps, session) => {
				const range = { from_id: null, before_id: null };
				const query = { workspace_id, order: 'desc', range, kinds, limit: 50, place: null } as const;
				const page = await listEvents(query, deps);
				if (page.outcome === 'expired') return [];
				if (page.has_more) session.note('These are the newest 50; there are older ones. The API lists all.');
				return page.events.map(({ id, kind, subject_id, sequence, created_at }) => {
					return { id, event: kind, about: subject_id, sequence, created_at };
				});
			}),
		);

export const eventCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	group(act, 'event', 'Events, as webhooks send them', [list]),
];
