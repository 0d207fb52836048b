import type { OpsDeps } from '../../../ops/connect.ts';
import type { WorkspaceSettings } from '../../../shared/contract/workspaces/workspace.ts';
import { limitsOf } from '../../../shared/domain/access/limits.ts';
import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { createWebhookEndpoint } from '../../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../../shared/use-cases/webhooks/rotate-webhook-secret.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { createWorkspace } from '../../../shared/use-cases/workspaces/create-workspace.ts';
import { settingsLike } from '../../../shared/use-cases/workspaces/settings-like.ts';
import type { StackFacts } from '../page/wire.ts';
import type { Inbox } from './inbox.ts';

// The demo shop as two departments, of which one takes calls and the other is closed. The departments are created when a
// person first chooses to see them.

/** Each department has a simulated team member who answers. */
const TEAMS = { Sales: 'Ida Wells:+13125550101', Service: 'Jonas Berg:+14155550119' } as const;
const CLOSED = 'Service';
const DAY_MS = 24 * 3_600_000;
const MORNING_MINUTE = 9 * 60;
const EVENING_MINUTE = 17 * 60;

/** Opening hours on only one day, three days from now. So until then, the department is closed in every time zone. */
function laterHours(nowMs: number): NonNullable<WorkspaceSettings['business_hours']> {
	const weekdays = [0, 1, 2, 3, 4, 5, 6] as const;
	const weekday = weekdays[new Date(nowMs + 3 * DAY_MS).getUTCDay()] ?? 0;
	return { weekly: [{ weekday, from_minute: MORNING_MINUTE, to_minute: EVENING_MINUTE }], holidays: [] };
}

async function namedLike(name: string, demo: Workspace, { workspaces }: OpsDeps): Promise<Workspace | null> {
	for await (const page of workspaces()) {
		const found = page.workspaces.find(
			(each) => each.name === name && each.origins.some((one) => demo.origins.includes(one)),
		);
		if (found !== undefined) return found;
	}
	return null;
}

/**
 * The departments of the demo shop on this machine. `inboxName` is the inbox that gets the webhooks of the shop and of its
 * departments.
 */
export function demoDepartments(inbox: Pick<Inbox, 'expect'>, inboxName: string) {
	const opened = new Map<string, Workspace>();
	let opening: Promise<void> = Promise.resolve();

	async function listen({ id: workspace_id }: Workspace, url: string, deps: OpsDeps): Promise<void> {
		const endpoint = (await deps.store.endpointsOf(workspace_id)).find((each) => each.url === url);
		const input = { workspace_id, url, description: 'The inbox of this machine', events: eventKinds };
		const created = endpoint
			? await rotateWebhookSecret({ workspace_id, id: endpoint.id }, 0, deps)
			: await createWebhookEndpoint(input, deps);
		if ('secret' in created) inbox.expect(inboxName, created.secret);
	}

	async function openOne(name: keyof typeof TEAMS, demo: Workspace, facts: StackFacts, deps: OpsDeps): Promise<void> {
		const like = settingsLike(demo);
		const hours = name === CLOSED ? { business_hours: laterHours(deps.clock.now()) } : {};
		const existing = await namedLike(name, demo, deps);
		// If the departments exist, update them, because the shop may have moved to another country since they were created.
		const outcome = existing
			? await changeWorkspace(existing.id, { ...like, ...hours }, deps)
			: await createWorkspace(
					{
						...like,
						...hours,
						name,
						team: [TEAMS[name]],
						limits: limitsOf(demo),
						region: demo.region,
						time_zone: demo.time_zone,
					},
					deps,
				);
		if ('refused' in outcome) throw new Error(`the department ${name} was refused: ${outcome.refused}`);
		const { workspace } = outcome;
		if (!existing)
			await changePeople(workspace.id, { change: 'invite', address: facts.desk_owner, role: 'owner' }, deps);
		if (!opened.has(name)) await listen(workspace, facts.inbox_url, deps);
		opened.set(name, workspace);
	}

	return {
		ids: (): readonly string[] => [...opened.values()].map(({ id }) => id),
		/** The keys for the snippet. Null until `open` was called. */
		keys: (): string | null => [...opened.values()].map(({ workspace_key }) => workspace_key).join(' ') || null,
		/** Creates the departments, or finds the departments of an earlier run. Requests are handled one after another. */
		open(facts: StackFacts, deps: OpsDeps): Promise<void> {
			opening = opening
				.catch(() => undefined)
				.then(async () => {
					const demo = await deps.store.get('workspace', { id: facts.workspace_id });
					if (demo === null) throw new Error('the demo workspace is gone from the table');
					await openOne('Sales', demo, facts, deps);
					await openOne('Service', demo, facts, deps);
				});
			return opening;
		},
	};
}
export type DemoDepartments = ReturnType<typeof demoDepartments>;
