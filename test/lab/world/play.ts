import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { createApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { createWorkspace } from '../../../shared/use-cases/workspaces/create-workspace.ts';
import { everyLimit } from '../../support/every-limit.ts';
import { newActors } from './actors.ts';
import type { Fault, Kind } from './faults.ts';
import { floodOf } from './floods.ts';
import { sweepTable } from './functions.ts';
import { nameOf } from './owner.ts';
import { connectPhones } from './phones.ts';
import * as ports from './ports.ts';
import { watch } from './rules.ts';
import { CANARY, ORIGIN, type Scenario, scenarioOf } from './scenario.ts';
import { enter, newStage, START_MS, type Stage, type Violation } from './stage.ts';

export type Ran = {
	readonly seed: number;
	readonly violations: readonly Violation[];
	readonly story: readonly string[];
	/** The parts of the world that shrinking may leave out: acts, events and faults. */
	readonly parts: readonly string[];
	readonly faults: ReadonlyMap<Fault, number>;
	/** The host of each request to a provider. */
	readonly asked_hosts: readonly string[];
	readonly steps: number;
};

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const GIVE_UP_MS = START_MS + 29 * DAY_MS;
const MOST_ACTIONS = 100_000;
/** The kinds of worlds. Consecutive seeds take them in turn. */
const KINDS: readonly Kind[] = ['calm', 'rough', 'flood', 'rough', 'bad line', 'rough', 'flood', 'rough'];

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Plays the world of a seed from its first request until no work is left, and checks every rule. */
export async function play(seed: number, spared: ReadonlySet<string> = new Set()): Promise<Ran> {
	const kind = KINDS[seed % KINDS.length] ?? 'rough';
	const stage = newStage({ seed, kind, spared });
	enter(stage);
	const scenario = kind === 'flood' ? floodOf(seed) : scenarioOf(seed, kind);
	const check = watch(stage);
	scheduleSweeps(stage);
	const actors = await setUp(stage, scenario);
	stage.armed = true;
	const parts = [
		...scenario.acts.map((act, nth) => ({ ...act, part: `act ${nth}`, run: () => actors.perform(act) })),
		...scenario.events.map((event, nth) => ({ ...event, part: `event ${nth}`, run: () => actors.publish(event.kind) })),
	].filter(({ part }) => !spared.has(part));
	for (const { at_ms, run } of parts) stage.time.at(START_MS + MINUTE_MS + at_ms, run);
	let actions = 0;
	for (let run = stage.time.next(GIVE_UP_MS); run !== null; run = stage.time.next(GIVE_UP_MS)) {
		actions += 1;
		if (actions > MOST_ACTIONS) {
			stage.broken('every world ends', `after ${actions} actions`);
			break;
		}
		await run();
		await settled();
	}
	stage.armed = false;
	await actors.list();
	await check.atTheEnd(actors.said, scenario);
	enter(null);
	return {
		seed,
		violations: stage.violations,
		parts: [...parts.map(({ part }) => part), ...stage.fired],
		faults: stage.counts,
		asked_hosts: stage.asked_hosts,
		story: storyLines(stage.story),
		steps: stage.steps(),
	};
}

/** The lines of the story. A thing that happened several times in a row, less than a minute apart, has only one line. */
function storyLines(story: Stage['story']): readonly string[] {
	const lines: string[] = [];
	let times = 1;
	for (const [position, { at_ms, who, what }] of story.entries()) {
		const next = story[position + 1];
		const again = next?.who === who && next.what === what && next.at_ms - at_ms < MINUTE_MS;
		if (!again) lines.push(`${clockTime(at_ms)} ${who}: ${what}${times > 1 ? ` (${times} times)` : ''}`);
		times = again ? times + 1 : 1;
	}
	return lines;
}

function clockTime(ms: number): string {
	const hours = Math.floor(ms / 3_600_000);
	const rest = ms % 3_600_000;
	return `${hours}:${new Date(rest).toISOString().slice(14, 23)}`;
}

/** Schedules the sweep for each full minute. Sweeps that would find nothing are left out. */
function scheduleSweeps(stage: Stage): void {
	const planned = new Set<number>();
	const plan = (dueMs: number): void => {
		const minute = (Math.floor(Math.max(dueMs, stage.time.now()) / MINUTE_MS) + 1) * MINUTE_MS;
		if (planned.has(minute)) return;
		planned.add(minute);
		stage.time.at(minute, async () => {
			planned.delete(minute);
			const now = new Date(stage.time.now()).toISOString();
			if ([...stage.timers.values()].every(({ due_at }) => due_at > now)) return;
			plan(stage.time.now());
			if (stage.strikes('the sweep does not run', 'sweep')) return;
			const { done } = stage.run('the sweep', sweepTable);
			done.catch(() => undefined);
		});
	};
	stage.writes.push((write) => {
		if (write.op !== 'put' || !('due_at' in write.item) || write.item.due_at === null) return;
		plan(Date.parse(write.item.due_at));
	});
}

let customers = 0;

async function setUp(stage: Stage, scenario: Scenario) {
	const people = [...scenario.team, ...scenario.others];
	stage.team_numbers.push(...people.map((_, nth) => `+1312555010${nth}`));
	const team = scenario.team.map((_, nth) => `${nameOf(nth)}:${stage.team_numbers[nth]}`);
	stage.connect(connectPhones(stage, scenario.visitor, people));
	const sealer = ports.kmsNumberSealer();
	const keys = { sealer, macs: ports.kmsMacs() };
	const given = { store: stage.store, clock: ports.systemClock, ids: ports.ulidIds, ...keys, numbers: phoneNumbers };
	const create = async (name: string, origin: string) => {
		const made = await createWorkspace(
			{
				name,
				region: 'US',
				time_zone: 'America/New_York',
				origins: [origin],
				team,
				limits: everyLimit(1_000_000),
				team_email: 'team@shop.example',
				ring_strategy: scenario.strategy,
				ring_order: scenario.order,
			},
			given,
		);
		if ('refused' in made) throw new Error(made.refused);
		return { workspace: made.workspace, key: await keyFor(stage, made.workspace) };
	};
	const own = await create('Shop', ORIGIN);
	const other = await create(CANARY, 'https://other.example');
	const actors = newActors(stage, scenario, own, other.key);
	for (let n = 0; n < scenario.endpoints; n += 1) await actors.createEndpoint();
	return actors;
}

/** Creates the API key of a workspace. Functions cache keys, so no two worlds of a process may have the same key. */
async function keyFor(stage: Stage, { id }: Workspace): Promise<string> {
	customers += 1;
	const unique = String(customers).padStart(8, '0').replaceAll(/\D/g, '0');
	const ids = { ...ports.ulidIds, next: () => `01K${'0'.repeat(15)}${unique}` };
	const permissions = ['calls:read', 'calls:write', 'webhooks:read', 'webhooks:write'] as const;
	const made = await createApiKey(
		{ workspace_id: id, name: 'all', permissions },
		{ ...stage, clock: ports.systemClock, ids },
	);
	if ('refused' in made) throw new Error(made.refused);
	return made.secret;
}
