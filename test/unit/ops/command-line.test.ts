import { beforeEach, describe, expect, it } from '@jest/globals';
import { readable } from '../../../ops/readable.ts';
import { progressOn } from '../../../ops/session.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';
import { idOf } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const { deps, workspace } = frontDesk(memoryStore());
const shop = workspace({}, { id: idOf(1), name: 'Shop' });
const bakery = workspace({}, { id: idOf(2), name: 'Bäckerei', team: [], origins: [] });
const stack = {
	...deps,
	mail_sender: null,
	public_base_url: 'https://api.example/v1',
	telephony: { provider: 'none', settings: '{}', readSecret: async () => '' },
	workspaces: async function* () {
		yield { workspaces: [bakery], read: 7 };
		yield { workspaces: [shop], read: 3 };
	},
};
const ops = operatorAt(stack);
const atTerminal = operatorAt(stack, 120);

/** Every command that the help lists. */
async function commandsBelow(words: readonly string[] = []): Promise<readonly (readonly string[])[]> {
	const { out } = await ops(...words, '--help');
	const listed = [...(out.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
	const names = listed.filter((name) => name !== 'help');
	const below = await Promise.all(names.map((name) => commandsBelow([...words, name])));
	return names.length === 0 ? [words] : below.flat();
}

describe('help', () => {
	it('describes every command', async () => {
		const commands = await commandsBelow();
		expect(commands.map((words) => words.join(' '))).toEqual(
			expect.arrayContaining(['workspace list', 'dlq replay', 'call show', 'erase']),
		);
		for (const words of commands) {
			const { code, out, err } = await ops(...words, '--help');
			expect([words, code, err]).toEqual([words, 0, '']);
			expect(out).toMatch(new RegExp(`^Usage: ops ${words.join(' ')} .*\n\n[A-Z][^]*?\\.\n`));
			expect(out).toContain('--state-dir <directory>');
		}
	});

	it('names the kind of thing for each id, and the workspace by its id or its name', async () => {
		for (const words of await commandsBelow()) {
			const { out } = await ops(...words, '--help');
			expect([words, /--id\b/.test(out)]).toEqual([words, false]);
			const [, option] = /(--workspace .*)/.exec(out) ?? [];
			if (option !== undefined) expect(option).toMatch(/^--workspace <workspace> +the workspace: its id, or its name/);
		}
	});

	it('names the exit codes', async () => {
		expect((await ops('--help')).out).toContain('Exit codes: 0 done');
	});

	it('prints the version', async () => {
		expect(await ops('--version')).toEqual({ code: 0, out: manifest.version, err: '' });
	});
});

describe('a command line that is not valid', () => {
	it.each([
		[[], 'Usage: ops <command> [options]'],
		[['dlq'], 'Usage: ops dlq [options] [command]'],
		[['workspace', 'creat'], "unknown command 'creat'\n(Did you mean create?)"],
		[['workspace', 'show', '--workspace', 'x', '--jsn'], "unknown option '--jsn'\n(Did you mean --json?)"],
		[['workspace', 'show'], "required option '--workspace <workspace>' not specified"],
		[
			['workspace', 'show', '--workspace', 'x', 'y'],
			"too many arguments for 'show'. Expected 0 arguments but got 1: y.",
		],
		[['dlq', 'replay', '--rate', '0'], "argument '0' is invalid. It takes a whole number from 1 to 1000."],
		[['dlq', 'list', '--limit', '1.5'], "argument '1.5' is invalid. It takes a whole number."],
		[
			['endpoint', 'status', '--workspace', 'w', '--endpoint', 'e', '--since', 'yesterday'],
			"argument 'yesterday' is invalid. It takes an RFC 3339 date-time, or a date for midnight UTC.",
		],
		[['workspace', 'create', '--name', 'x'], '--name is required, and --region or --like'],
	])('%j: exits with 2 and says what was expected', async (args, said) => {
		const { code, out, err } = await ops(...args);
		expect([code, out]).toEqual([2, '']);
		expect(err).toContain(said);
	});
});

describe('a workspace', () => {
	const twin = { ...shop, id: idOf(3), name: 'SHOP' };
	const ida = { address: 'ida@shop.example', role: 'owner', sessions_from: '' } as const;
	let store: ReturnType<typeof memoryStore>;
	let at: ReturnType<typeof operatorAt>;
	beforeEach(async () => {
		store = memoryStore();
		at = operatorAt({
			...stack,
			store,
			workspaces: async function* () {
				yield { workspaces: [shop, bakery, twin], read: 3 };
			},
		});
		await store.commit([put('workspace', { ...shop, desk: [ida] }), put('workspace', bakery)]);
	});

	it('is found by its name in capitals or small letters, if no other workspace has the name', async () => {
		for (const name of ['Bäckerei', 'bäckerei', ' BÄCKEREI ', bakery.id]) {
			const { code, out } = await at('workspace', 'show', '--workspace', name);
			expect([name, code, JSON.parse(out).id]).toEqual([name, 0, bakery.id]);
		}
	});

	it('is not guessed: several workspaces of one name are listed, and a part of a name finds none', async () => {
		expect(await at('workspace', 'show', '--workspace', 'Shop')).toEqual({
			code: 1,
			out: '',
			err: `2 workspaces have this name: ${shop.id}, ${twin.id}`,
		});
		for (const wrong of ['Bäcker', '', 'none'])
			expect((await at('desk', 'list', '--workspace', wrong)).err).toBe(
				`no workspace has the id or the name "${wrong}"`,
			);
	});

	it('has a command that lists the people of its desk', async () => {
		const { code, out } = await at('desk', 'list', '--workspace', shop.id);
		expect([code, JSON.parse(out)]).toEqual([0, [{ address: 'ida@shop.example', role: 'owner' }]]);
		expect((await at('desk', 'list', '--workspace', idOf(9))).err).toBe('no workspace has this id');
	});

	it('causes a warning if its caller number is a member’s own', async () => {
		const set = (...more: readonly string[]) => at('workspace', 'set', '--workspace', shop.id, ...more);
		const told = 'The caller number belongs to a member';
		expect((await set('--team', 'Ida:+13125550101', '--caller-number', '+13125550101')).err).toContain(told);
		expect((await set('--name', 'Shop 2')).err).toContain(told);
		expect((await set('--caller-number', '+13125550199')).err).not.toContain(told);
		expect((await set('--caller-number', 'none')).err).not.toContain(told);
	});

	it('causes a warning if the caller number of the deployment is a member’s own', async () => {
		const provider = { provider: 'twilio', readSecret: async () => '' };
		const from = (number: string) =>
			operatorAt({ ...stack, store, telephony: { ...provider, settings: JSON.stringify({ from: number }) } });
		const set = ['workspace', 'set', '--workspace', shop.id, '--team', 'Ida:+13125550101', '--caller-number'];
		const told = 'The caller number belongs to a member';
		expect((await from('+13125550101')(...set, 'none')).err).toContain(told);
		expect((await from('+13125550199')(...set, 'none')).err).not.toContain(told);
		expect((await from('+13125550101')(...set, '+13125550199')).err).not.toContain(told);
	});

	it('has a command that prints a link for a person of its desk, and for no one else', async () => {
		const link = (address: string) => at('desk', 'link', '--workspace', shop.id, '--address', address);
		const { code, out } = await link('Ida@shop.example');
		const printed = { url: expect.stringMatching(/^https:\/\/api\.example\/v1\/desk\/links\/[\w-]{43}$/) };
		expect([code, JSON.parse(out)]).toEqual([0, { ...printed, expires_at: expect.any(String) }]);
		expect((await link('mia@shop.example')).err).toBe('This person is not on the desk.');
	});
});

it('a list of a workspace is empty if the workspace has nothing of the kind', async () => {
	for (const kind of ['call', 'lead', 'endpoint']) {
		expect(await ops(kind, 'list', '--workspace', bakery.id)).toMatchObject({ code: 0, out: '[]' });
	}
});

describe('a result', () => {
	it('is JSON for a program, and also for a person who asks for JSON', async () => {
		const listed = await ops('workspace', 'list');
		expect(JSON.parse(listed.out)).toMatchObject([
			{ name: 'Shop', team: 1 },
			{ name: 'Bäckerei', origins: [] },
		]);
		expect((await atTerminal('workspace', 'list', '--json')).out).toBe(listed.out);
	});

	it('is a table on a terminal, and blocks on a narrow terminal', async () => {
		const [head = '', first = '', second = ''] = (await atTerminal('workspace', 'list')).out.split('\n');
		expect(head).toMatch(/^id +name +region +calls_enabled +team +origins +created_at$/);
		expect(first.slice(head.indexOf('name'))).toMatch(/^Shop +US +true +1 +https:\/\/shop.example +2026/);
		expect(second.slice(head.indexOf('name'))).toMatch(/^Bäckerei +US +true +0 +- +2026/);
		const narrow = (await operatorAt(stack, 60)('workspace', 'list')).out.split('\n');
		expect(narrow).toContain('name           Shop');
		expect(narrow).toContain('origins        https://shop.example');
	});

	it('shows nested fields below their name, each entry of a list on its own line, and a missing value as a dash', () => {
		const legs = ['visitor: dialled', 'team member 1: rang'];
		const shown = readable(
			{ id: 'c', failure_reason: null, legs, limits: { calls: 3 }, messages: [{ a: 1 }, { a: 22 }] },
			80,
		);
		expect(shown.split('\n')).toEqual([
			'id              c',
			'failure_reason  -',
			'legs            visitor: dialled',
			'                team member 1: rang',
			'limits',
			'  calls  3',
			'messages',
			'   a',
			'   1',
			'  22',
		]);
		expect(readable([], 80)).toBe('(none)');
	});

	it('wraps long texts between words, at the column where they begin', () => {
		const legs = ['visitor: dialled 12:21, rang 12:22, over (busy) 12:23', 'team member 1: rang'];
		expect(readable({ id: 'c', advice: 'Fix the cause, then replay.', legs }, 30).split('\n')).toEqual([
			'id      c',
			'advice  Fix the cause, then',
			'        replay.',
			'legs    visitor: dialled',
			'          12:21, rang 12:22,',
			'          over (busy) 12:23',
			'        team member 1: rang',
		]);
	});

	it('aligns numbers on the right, cuts milliseconds, and wraps long cells between words', () => {
		const rows = [
			{
				id: '01A',
				permissions: ['calls:read', 'calls:write', 'leads:read'],
				uses: 12_345,
				at: '2026-11-22T11:50:17.685Z',
			},
			{ id: '01B', permissions: ['calls:read'], uses: 7, at: null },
		];
		expect(readable(rows, 52).split('\n')).toEqual([
			'id   permissions          uses  at',
			'01A  calls:read,        12,345  2026-11-22T11:50:17Z',
			'     calls:write,',
			'     leads:read',
			'01B  calls:read              7  -',
		]);
		expect(readable(rows, 44)).toContain('\n\nid           01B\npermissions  calls:read\n');
	});
});

describe('progress', () => {
	const shownOn = (isTTY: boolean) => {
		const written: string[] = [];
		const now = { ms: 0 };
		const shown = progressOn({ isTTY, write: (text) => written.push(text) }, () => now.ms);
		const step = (ms: number, done: number): void => {
			now.ms = ms;
			shown.progress(() => ({ text: `${done} of 4`, share: done / 4 }));
		};
		return { written, step, shown };
	};

	it('is a bar on one line of a terminal, and disappears when something else is printed', () => {
		const { written, step, shown } = shownOn(true);
		step(50, 1);
		step(100, 2);
		step(150, 3);
		step(250, 4);
		shown.note('done');
		shown.clear();
		const clear = '\r\u001B[K';
		expect(written).toEqual([
			`${clear}[############............] 2 of 4`,
			`${clear}[########################] 4 of 4`,
			clear,
			'done\n',
		]);
	});

	it('is one line a second if the output is not a terminal', () => {
		const { written, step, shown } = shownOn(false);
		for (const ms of [200, 999, 1000, 1500, 2000]) step(ms, ms / 500);
		shown.clear();
		expect(written).toEqual(['2 of 4\n', '4 of 4\n']);
	});
});
