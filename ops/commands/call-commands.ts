import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Call } from '../../shared/domain/calls/call.ts';
import type { EndCause, Leg } from '../../shared/domain/calls/leg.ts';
import type { Records } from '../../shared/ports/registry.ts';
import { listPage } from '../../shared/use-cases/kernel/list-page.ts';
import { type CommandAction, group, WORKSPACE } from '../command.ts';
import type { OpsDeps } from '../connect.ts';
import { OperatorError } from '../operator-error.ts';
import { REFUSAL_CODES } from '../refusal-codes.ts';
import type { Session } from '../session.ts';
import { traceCall, traceLead } from './trace-commands.ts';

const causes: Readonly<Record<EndCause, string>> = {
	completed: 'hung up by the person',
	busy: 'busy',
	no_answer: 'no answer',
	rejected: 'rejected',
	voicemail: 'a voicemail answered',
	unreachable: 'the number cannot be reached',
	hung_up: 'hung up by us',
	provider_error: 'the provider failed, or never reported the outcome',
	provider_rejected: 'the provider refused to dial',
};

function story(leg: Leg): string {
	const who =
		leg.role === 'visitor'
			? 'visitor'
			: `team member ${leg.member}${leg.member_name === undefined ? '' : ` (${leg.member_name})`}`;
	const steps: readonly (readonly [string, string | null])[] = [
		['dialled', leg.dialed_at],
		['rang', leg.ringing_at],
		['answered', leg.answered_at],
		['pressed 1', leg.accepted_at],
		['we asked to hang up', leg.hangup_requested_at],
		['throttled by the provider until', leg.throttled_until],
		[`over (${leg.cause === null ? '' : causes[leg.cause]})`, leg.ended_at],
	];
	const lines = steps.flatMap(([step, at]) => (at === null ? [] : [`${step} ${at}`]));
	const code = leg.refused_code;
	const refusal = code === undefined ? [] : [`code ${code}: ${REFUSAL_CODES.get(code) ?? 'see the provider’s list'}`];
	return `${who}: ${[...(lines.length === 0 ? ['not dialled yet'] : lines), ...refusal].join(', ')}`;
}

async function callOf(id: string, { store }: OpsDeps) {
	const call = await store.get('call', { id });
	if (call === null) throw new OperatorError('no call has this id');
	return call;
}

/** What an operator sees of a call: only masked numbers, and no ids of the provider. */
function publicFields(call: Call) {
	return {
		id: call.id,
		workspace_id: call.workspace_id,
		status: call.status,
		failure_reason: call.failure_reason,
		visitor_phone_masked: call.visitor_phone_masked,
		source_url: call.source_url,
		...(call.is_test && { is_test: true }),
		created_at: call.created_at,
		connected_at: call.connected_at,
		completed_at: call.completed_at,
		duration_seconds: call.duration_seconds,
		legs: call.legs.map(story),
	};
}

const show = (act: CommandAction) =>
	new Command('show')
		.description('Show a call and what happened to each of its phones, without phone numbers.')
		.requiredOption('--call <id>', 'the call')
		.action(act(async ({ call }, deps) => publicFields(await callOf(call, deps))));

/** The newest calls or leads of a workspace. If there are older items, a note says so. */
async function newest<N extends 'call' | 'callback_lead'>(
	record: N,
	workspace_id: string,
	reference: string | undefined,
	{ store }: Pick<OpsDeps, 'store'>,
	session: Session,
): Promise<readonly Records[N][]> {
	const range = { workspace_id, from_id: null, before_id: null, limit: 50 };
	const { items, next_before_id } = await listPage(
		record,
		range,
		(item) => reference === undefined || item.reference === reference,
		store,
	);
	if (next_before_id !== null) session.note('These are the newest 50; there are older ones. The API lists all.');
	return items;
}

const REFERENCE = ['--reference <text>', 'only those with this reference, such as an order’s number'] as const;

const listCalls = (act: CommandAction) =>
	new Command('list')
		.description("List a workspace's newest 50 calls, without numbers.")
		.requiredOption(...WORKSPACE)
		.option(...REFERENCE)
		.action(
			act(async ({ workspace, reference }, deps, session) => {
				const items = await newest('call', workspace, reference, deps, session);
				return items.map(({ id, status, failure_reason, visitor_phone_masked, created_at, is_test }) => {
					return { id, status, failure_reason, visitor_phone_masked, created_at, ...(is_test && { is_test }) };
				});
			}),
		);

const listLeads = (act: CommandAction) =>
	new Command('list')
		.description("List a workspace's newest 50 callback leads, without numbers or names.")
		.requiredOption(...WORKSPACE)
		.option(...REFERENCE)
		.action(
			act(async ({ workspace, reference }, deps, session) => {
				const items = await newest('callback_lead', workspace, reference, deps, session);
				return items.map(({ id, status, visitor_phone_masked, created_at }) => {
					return { id, status, visitor_phone_masked, created_at };
				});
			}),
		);

export const callCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	group(act, 'call', 'Calls', [listCalls, show, traceCall]),
	group(act, 'lead', 'Callback leads', [listLeads, traceLead]),
];
