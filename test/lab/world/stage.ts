import { AsyncLocalStorage } from 'node:async_hooks';
import { plainPut } from '../../../shared/adapters/dynamodb/commit.ts';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { type CommitOutcome, type Due, type Store, StoreBusy, type Write } from '../../../shared/ports/store.ts';
import type { TeamMessage } from '../../../shared/ports/team-notifier.ts';
import type { DialRequest } from '../../../shared/ports/telephony.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { type Chance, chance } from './chance.ts';
import { type Fault, faults, HURTS, type Kind, MAY_STRIKE, type Receiver } from './faults.ts';
import type { phoneWorld } from './people.ts';
import { type Agenda, worldTime } from './time.ts';

// The stage of a world: one clock, one seed, one table, and everything that can go wrong between a function and its ports.

export const START_MS = Date.parse('2026-11-09T12:00:00.000Z');

/** One run of a function. */
export type Process = {
	readonly name: string;
	readonly started_ms: number;
	dead: boolean;
	/** The process may fail, because a fault has struck it or one of its ports. */
	hurt: boolean;
};
export class Died extends Error {}

export type Post = {
	readonly at_ms: number;
	readonly host: string;
	readonly delivery_id: string;
	readonly event_id: string;
	readonly attempt: number;
	readonly process: Process | null;
	status: number | null;
	ended_ms: number | null;
};

export type Violation = { readonly rule: string; readonly detail: string };
type Line = { readonly at_ms: number; readonly who: string; readonly what: string };

/** `spared`: the keys of faults that must not happen. */
export type Given = { readonly seed: number; readonly kind: Kind; readonly spared: ReadonlySet<string> };

/** The phone network, and the dial request of each leg. */
type Network = ReturnType<typeof phoneWorld> & { readonly legs: Map<string, DialRequest> };
export type Stage = ReturnType<typeof newStage>;

const running = new AsyncLocalStorage<Process>();
export const currentProcess = (): Process | undefined => running.getStore();

export function newStage({ seed, kind, spared }: Given) {
	const time: Agenda = worldTime(START_MS);
	const random: Chance = chance(seed);
	const truth = memoryStore();
	const timers = new Map<string, Due>();
	const counts = new Map<Fault, number>();
	const fired: string[] = [];
	const story: Line[] = [];
	const violations: Violation[] = [];
	const writes: ((write: Write, before: unknown) => void)[] = [];
	let steps = 0;
	let ids = 0;
	let network: Network | null = null;

	const tell = (who: string, what: string): void => void story.push({ at_ms: time.now() - START_MS, who, what });
	const broken = (rule: string, detail: string): void => void violations.push({ rule, detail });

	/** Whether this fault happens now. */
	function strikes(fault: Fault, where: string): boolean {
		if (!stage.armed || !MAY_STRIKE[kind].test(fault)) return false;
		const nth = counts.get(fault) ?? 0;
		if (random.next(fault) >= faults[fault]) return false;
		counts.set(fault, nth + 1);
		const key = `${fault} ${nth}`;
		if (spared.has(key)) return false;
		fired.push(key);
		tell(currentProcess()?.name ?? 'the network', `${fault} (${where})`);
		const process = currentProcess();
		if (process !== undefined && HURTS.test(fault)) process.hurt = true;
		return true;
	}
	const wait = (ms: number): Promise<void> => new Promise((resolve) => time.after(ms, resolve));

	function die(process: Process): never {
		process.dead = true;
		throw new Died();
	}
	/** One call of a port. The process may die before or after it, or stall while other processes run. */
	async function step<T>(where: string, effect: () => T | Promise<T>): Promise<T> {
		const process = currentProcess();
		if (process === undefined) return effect();
		if (process.dead) throw new Died();
		steps += 1;
		if (strikes('a process dies before a port call', where)) die(process);
		if (strikes('a process stalls for minutes', where)) await wait(90_000 + random.below('stall', 60_000));
		else if (stage.armed && kind !== 'flood' && random.next('latency') < 0.5)
			await wait(1 + random.below('latency of', 40));
		const answer = await effect();
		if (strikes('a process dies after a port call', where)) die(process);
		return answer;
	}

	async function commit(given: readonly Write[], inTime?: () => boolean): Promise<CommitOutcome> {
		const kept = await Promise.all(given.map(async (write) => (write.op === 'count' ? null : before(truth, write))));
		const outcome = await truth.commit(given, inTime);
		if (outcome.committed) {
			given.forEach((write, position) => {
				note(timers, write);
				for (const look of writes) look(write, kept[position] ?? null);
			});
		}
		return outcome;
	}
	const read = (where: string): void => {
		if (strikes('the store is busy', where)) throw new StoreBusy('the store is busy');
	};
	const asked = <A extends readonly unknown[], T>(name: string, ask: (...args: A) => Promise<T>) =>
		((...args: A) =>
			step(`store.${name}`, () => {
				read(`store.${name}`);
				return ask(...args);
			})) as (...args: A) => Promise<T>;

	const store: Store = {
		get: (record, key) =>
			step(`get ${record}`, () => {
				read(`get ${record}`);
				return truth.get(record, key);
			}),
		list: (record, workspaceId, range) =>
			step(`list ${record}`, () => {
				read(`list ${record}`);
				return truth.list(record, workspaceId, range);
			}),
		listFields: (record, workspaceId, range, fields) =>
			step(`list ${record}`, () => {
				read(`list ${record}`);
				return truth.listFields(record, workspaceId, range, fields);
			}),
		endpointsOf: asked('endpointsOf', truth.endpointsOf),
		attemptsOf: asked('attemptsOf', truth.attemptsOf),
		consentsOf: asked('consentsOf', truth.consentsOf),
		desksOf: asked('desksOf', truth.desksOf),
		anyWorkspaceAllows: asked('anyWorkspaceAllows', truth.anyWorkspaceAllows),
		count: asked('count', truth.count),
		used: asked('used', truth.used),
		usedAt: asked('usedAt', truth.usedAt),
		usedFrom: asked('usedFrom', truth.usedFrom),
		closedDays: asked('closedDays', truth.closedDays),
		// The real sweep reads all shards at the same time. Here, all timers are in the first shard, so that a sweep is one call.
		due: async (shard, now, limit, after) => {
			if (shard > 0 || after !== null) return [];
			const due = [...timers.values()].filter(({ due_at }) => due_at <= now);
			return step('due', () => due.sort((a, b) => (a.due_at < b.due_at ? -1 : 1)).slice(0, limit - 1));
		},
		commit: (given, inTime) =>
			step(`commit ${named(given)}`, async () => {
				read('commit');
				const outcome = await commit(given, inTime);
				if (outcome.committed && strikes('the answer to a commit is lost', named(given)))
					throw new StoreBusy('the answer is lost');
				// Worse than on DynamoDB, where this needs a lost response and a faster process (see `putNextVersion`).
				const isPlain = outcome.committed && plainPut(given) !== null;
				if (isPlain && strikes('the success of a plain put is reported as refused', named(given)))
					return { committed: false, refused: [0] };
				return outcome;
			}),
	};
	const stage = {
		seed,
		kind,
		time,
		random,
		truth,
		store,
		timers,
		story,
		violations,
		fired,
		counts,
		writes,
		tell,
		broken,
		strikes,
		step,
		wait,
		commit,
		steps: () => steps,
		/** Ids that depend on the seed. Within a millisecond, they sort in the order in which they were made. */
		nextId: (atMs = time.now()): string => derivedId(atMs, `${seed}`, `${ids++}`),
		/** Runs `work` as a separate process. */
		run: <T>(name: string, work: () => Promise<T>): { process: Process; done: Promise<T> } => {
			const process: Process = { name, started_ms: time.now(), dead: false, hurt: false };
			return { process, done: running.run(process, work) };
		},
		/** Whether faults can occur. False while the world is set up, and again after it has ended. */
		armed: false,
		posts: [] as Post[],
		asked_hosts: [] as string[],
		/** The ids of committed callback leads. */
		leads: [] as string[],
		mails: [] as TeamMessage[],
		/** The mails that did not fail. */
		sent_mails: [] as { readonly message: TeamMessage; readonly process: Process | null }[],
		/** When each webhook endpoint was last written. */
		endpoint_changes: new Map<string, number>(),
		/** Exhausted deliveries for which the dead-letter queue got a message. */
		pointed: new Set<string>(),
		/** Bodies of the messages in the dead-letter queue. */
		letters: [] as string[],
		/** Everything that leaves the service: logs, messages, responses, POSTs. */
		outputs: [] as string[],
		receivers: new Map<string, Receiver>(),
		/** First the numbers of the team at the start, then the other numbers. */
		team_numbers: [] as string[],
		/** The team after each change: the name of each member, by the masked number. */
		teams: [] as { readonly at_ms: number; readonly names: ReadonlyMap<string, string> }[],
		/** The team when each leg was last claimed, by the leg's id. */
		claims: new Map<string, ReadonlyMap<string, string>>(),
		visitor_numbers: new Set<string>(),
		connect(phones: Network): void {
			network = phones;
		},
		phones: (): Network => {
			if (network === null) throw new Error('there is no phone network');
			return network;
		},
	};
	return stage;
}

const named = (given: readonly Write[]): string =>
	[...new Set(given.map((write) => (write.op === 'count' ? 'counter' : write.record)))].join(', ');

async function before(truth: Store, write: Exclude<Write, { op: 'count' }>): Promise<unknown> {
	const key = write.op === 'put' ? write.item : write.key;
	return truth.get(write.record, key as never);
}

function note(timers: Map<string, Due>, write: Write): void {
	if (write.op === 'count') return;
	const { record } = write;
	if (record !== 'call' && record !== 'delivery' && record !== 'team_notice') return;
	if (write.op === 'remove') {
		timers.delete(`${record} ${'id' in write.key ? write.key.id : ''}`);
		return;
	}
	const { item } = write;
	if (!('due_at' in item)) return;
	if (item.due_at === null) timers.delete(`${record} ${item.id}`);
	else timers.set(`${record} ${item.id}`, { record, id: item.id, due_at: item.due_at });
}

let stage: Stage | null = null;
/** The functions are loaded once for many worlds. Their ports belong to the current one. */
export function onStage(): Stage {
	if (stage === null) throw new Error('no world is played');
	return stage;
}
export function enter(next: Stage | null): void {
	stage = next;
}
