import { countIn, periodAt } from '../../domain/access/rate-limit.ts';
import { isTerminal } from '../../domain/calls/call.ts';
import { newCallRecord } from '../../domain/calls/call-record.ts';
import { isSilenced } from '../../domain/workspaces/silenced-members.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { CallDeps } from '../calls/advance-call.ts';
import { sendWhatBegins } from '../calls/follow-ups.ts';
import { asRead, change } from '../kernel/unit-of-work.ts';
import type { EditContext, EditRefusal } from '../workspaces/edit-workspace.ts';

/** How many test calls a desk may make in an hour of the clock. */
export const TEST_CALLS_PER_HOUR = 6;
const HOUR_SECONDS = 3600;

type Deps = CallDeps & EditContext & { readonly can_dial: boolean };
type TestRefusal =
	| EditRefusal
	| ('not_found' | 'member_unknown' | 'team_number_not_callable' | 'tests_off' | 'tested_now' | 'tests_enough');
export type TestOutcome = { readonly done: true } | { readonly refused: TestRefusal };
type Before = { readonly workspace: Workspace; readonly is_testing: boolean } | null;

/**
 * Places a test call to a member. The call first rings the member's phone in the role of a member. After the member has
 * pressed 1, the call rings the same phone in the role of the visitor. The phones are rung in the same way as in every
 * other call, but also while the shop is closed. A shop can run only one test call at a time, because a test call rings the
 * shop's own team.
 */
export async function testCall(workspaceId: string, memberId: string, deps: Deps): Promise<TestOutcome> {
	const { store, clock, ids, speed } = deps;
	const refuse = (refused: TestRefusal) => ({ result: { refused } });
	return change<Before, TestOutcome>(
		{
			read: () => readBefore(workspaceId, deps),
			decide: (before) => {
				if (before === null) return refuse('not_found');
				const { workspace, is_testing } = before;
				const refusal = deps.refusalIn?.(workspace) ?? null;
				if (refusal !== null) return refuse(refusal);
				const member = workspace.team.find(({ id }) => id === memberId);
				if (member === undefined) return refuse('member_unknown');
				if (isSilenced(member, workspace)) return refuse('team_number_not_callable');
				if (!workspace.calls_enabled || !deps.can_dial) return refuse('tests_off');
				if (is_testing) return refuse('tested_now');
				const now_ms = clock.now();
				const rings = {
					workspace,
					visitor_phone_masked: member.phone_masked,
					visitor_name: null,
					source_url: workspace.origins[0] ?? '',
					plan: { strategy: 'sequential', order: 'agent_first', members: [memberId] },
					is_test: true,
				} as const;
				const callChange = newCallRecord({ id: ids.next(now_ms), ...rings }, { now_ms, speed });
				const { call } = callChange;
				const item = { ...workspace, version: workspace.version + 1, test_call_id: call.id };
				return {
					result: { done: true },
					writes: {
						hour: countIn(periodAt(HOUR_SECONDS, now_ms), `tests#${workspaceId}`, { used: TEST_CALLS_PER_HOUR }),
						call: { op: 'put', record: 'call', item: call, guard: { if: 'absent' } },
						workspace: { op: 'put', record: 'workspace', item, guard: asRead(workspace) },
					},
					refusals: { hour: { refused: 'tests_enough' } },
					...sendWhatBegins(callChange, { writes: [], messages: [] }, deps),
				};
			},
		},
		store,
	);
}

async function readBefore(id: string, { store }: Pick<Deps, 'store'>): Promise<Before> {
	const workspace = await store.get('workspace', { id });
	if (workspace === null) return null;
	const { test_call_id } = workspace;
	const latest = test_call_id === undefined ? null : await store.get('call', { id: test_call_id });
	return { workspace, is_testing: latest !== null && !isTerminal(latest.status) };
}
