import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { newSession, SESSION_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret } from '../../../shared/domain/kernel/link-token.ts';
import { maskPhone } from '../../../shared/domain/kernel/phone-mask.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { DialRequest } from '../../../shared/ports/telephony.ts';
import { ask } from './functions.ts';
import { CANARY } from './scenario.ts';
import type { Stage } from './stage.ts';

// The rules for members of the team, whatever the owner changes in the meantime.

/**
 * Remembers the team by the masks of its members' numbers. The masked numbers of a world all differ, so a mask identifies a
 * phone.
 */
export function lookAtTeam(stage: Stage, { name, team }: Workspace): void {
	if (name === CANARY) return;
	const names = new Map(team.map((member) => [member.phone_masked, member.name ?? '']));
	stage.teams.push({ at_ms: stage.time.now(), names });
	stage.tell('the shop', `has the team ${[...names.values()].join(', ')}`);
}

/** Remembers the team each time a leg is claimed. */
export function lookAtClaims({ claims, teams }: Stage, call: CallRecord, before: CallRecord | null): void {
	const names = teams.at(-1)?.names ?? new Map<string, string>();
	for (const { id, rank, throttled_until, dialed_at } of call.legs) {
		const earlier = before?.legs.find((leg) => leg.id === id);
		const claimed = rank === 'dialing' && throttled_until === null && dialed_at !== earlier?.dialed_at;
		if (claimed) claims.set(id, names);
	}
}

/** Checks the dial of a member's phone before the phone rings. */
export function lookAtDial(stage: Stage, { call_id, leg_id, to }: DialRequest): void {
	const earlier = [...stage.phones().legs.values()].filter((leg) => leg.call_id === call_id && leg.to === to);
	if (earlier.length > 0) stage.broken('no phone rings twice for one call', `${maskPhone(to)} in ${call_id}`);
	const team = stage.claims.get(leg_id);
	if (team?.has(maskPhone(to)) !== true)
		stage.broken('no number is dialled that left the team before the claim', `${maskPhone(to)} in ${call_id}`);
}

/** How far the provider's clock may differ from ours. The end of a call may be a time of the provider's clock. */
const CLOCKS_DIFFER_MS = 5000;

/** All names that the member with this number had during the call. */
function namesOf({ teams, time }: Stage, to: string, { created_at, completed_at }: CallRecord): readonly string[] {
	const fromMs = Date.parse(created_at);
	const endMs = Date.parse(completed_at ?? '') || time.now();
	const toMs = endMs + CLOCKS_DIFFER_MS;
	const until = teams.filter(({ at_ms }) => at_ms <= toMs);
	const first = until.findLastIndex(({ at_ms }) => at_ms < fromMs);
	return until.slice(Math.max(0, first)).flatMap(({ names }) => names.get(maskPhone(to)) ?? []);
}

/**
 * Checks that the desk and the mails name the people who talked, and the people whose phones rang, by the names that they had
 * then. Later changes of the team must not matter.
 */
export async function checkHistory(stage: Stage, calls: readonly CallRecord[]): Promise<void> {
	const [call] = calls;
	if (call === undefined) return;
	const today = await deskToday(stage, call.workspace_id);
	for (const each of calls) {
		const dialed = [...stage.phones().legs.values()].filter(
			({ call_id, role }) => call_id === each.id && role === 'agent',
		);
		const [, ...rows] = today.split('<tr class="contact">');
		const row = rows.findLast((text) => text.includes(`<bdi>${each.visitor_name}</bdi>`)) ?? '';
		const [, talked] = / · <bdi>([^<]*)<\/bdi>/.exec(row) ?? [];
		const winner = dialed.find(({ leg_id }) => leg_id === each.winner_leg_id);
		const names = winner === undefined ? [] : namesOf(stage, winner.to, each);
		if (winner !== undefined && !names.includes(talked ?? ''))
			stage.broken('history names who talked', `${talked} instead of ${names.join(' or ')}`);
		const announcedCalls = stage.mails
			.flatMap((mail) => ('calls' in mail ? mail.calls : []))
			.filter(({ id }) => id === each.id);
		for (const { rung } of announcedCalls) {
			const rang = dialed.map(({ to }) => namesOf(stage, to, each));
			if (rang.some((known) => !known.some((name) => rung.includes(name))))
				stage.broken('history names who was rung', `${rung.join(', ')} instead of ${rang.join(', ')}`);
		}
	}
}

/** The page Today as the owner sees it at the end. */
async function deskToday(stage: Stage, workspace_id: string): Promise<string> {
	const { truth, time } = stage;
	const workspace = await truth.get('workspace', { id: workspace_id });
	if (workspace === null) return '';
	const secret = new Uint8Array(32);
	const address = 'owner@shop.example';
	const person = { address, role: 'owner', sessions_from: '' } as const;
	const guard = { if: 'always' } as const;
	await truth.commit([
		{ op: 'put', record: 'workspace', item: { ...workspace, desk: [person] }, guard },
		{ op: 'put', record: 'desk_session', item: newSession(secret, { workspace_id, address }, time.now()), guard },
	]);
	const cookies = [`${SESSION_COOKIE}=${formatSecret(secret)}`];
	const answer = await ask(stage, 'the owner', { method: 'GET', path: '/desk/pages/today', cookies });
	if (answer?.status !== 200) stage.broken('the desk shows the calls', `${answer?.status}`);
	return answer?.body ?? '';
}
