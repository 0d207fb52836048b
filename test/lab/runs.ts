/** A long run, which is not part of `npm test`. Durations are measured on two idle cores. */
export type LongRun = {
	readonly what: string;
	readonly takes: string;
	/** What the run needs in addition to Node.js and npm. */
	readonly needs?: string;
	/** The folder of tools/ whose packages the run installs first. */
	readonly installs?: string;
	/** Arguments of Node.js. The command-line arguments after the run's name are added to them. */
	readonly node: readonly string[];
};

/** The long runs by name. Those that test the promises of the README come first. */
export const longRuns: Readonly<Record<string, LongRun>> = {
	promises: {
		what: 'Tests what the README and the pages promise: a fresh clone, every command, a stack that is killed, packages, clients, the site.',
		takes: '8 minutes',
		needs: 'the registry of npm; where they are installed, it also uses Python, Go, Java and the AWS CLI',
		node: ['test/run.ts', '--config', 'test/promises.config.js'],
	},
	world: {
		what: 'Plays whole stories with every fault over one virtual clock: --seed 7 --runs 1000 (docs/world.md).',
		takes: '10 s for 1,000 seeds; with --mutants, 5 minutes',
		node: ['test/lab/world/main.ts'],
	},
	fuzz: {
		what: 'Sends hostile requests to every function: --requests 100000, with --http to a running stack.',
		takes: '1 minute for 10,000 requests',
		node: ['test/hostile/fuzz.ts'],
	},
	feed: {
		what: 'Follows the feed of events over a virtual time with skewed clocks and a slow index: --seed 1 --runs 10000.',
		takes: '15 s for 10,000 seeds',
		node: ['test/lab/feed/main.ts'],
	},
	follow: {
		what: 'Kills a program that follows the events of 1,000 calls, and counts what it missed: --calls 1000 --seed 1.',
		takes: '5 minutes',
		node: ['test/lab/feed/killed/main.ts'],
	},
	upgrade: {
		what: 'Fills a stack of the last release. Today’s code, the last release and mixes of both then work on its state: --from <commit>.',
		takes: '6 minutes',
		needs: 'the history of git',
		node: ['test/lab/upgrade/main.ts'],
	},
	samples: {
		what: 'Writes what a commit stores, sends and hands out to test/upgrade/releases: samples <commit>.',
		takes: '1 minute',
		needs: 'the history of git',
		node: ['test/upgrade/write.ts'],
	},
	mutants: {
		what: 'Breaks the rules of the domain and the use cases one by one; a test has to fail: --mutate <files>.',
		takes: '2 minutes for a folder of the domain, one to two hours for everything (estimated)',
		installs: 'mutants',
		node: [
			'tools/mutants/node_modules/@stryker-mutator/core/bin/stryker.js',
			'run',
			'tools/mutants/stryker.config.json',
		],
	},
	trial: {
		what: 'Deploys the stack to an emulator of AWS as docs/deployment.md says, and places one call.',
		takes: '3 minutes',
		needs: 'Python, the AWS CLI, and PyPI once',
		node: ['test/lab/trial/main.ts'],
	},
	adopt: {
		what: 'Packs the construct, uses it with the lowest and newest CDK, and deploys two stages to an emulator of AWS. One is updated during calls.',
		takes: '10 minutes',
		needs: 'Python, PyPI once, and the history of git for the update of a stack of the last release',
		node: ['test/lab/adopt/main.ts'],
	},
	'dynamodb-local': {
		what: 'Runs the tests of the table on DynamoDB Local of Amazon instead of the stand-in.',
		takes: '10 minutes',
		needs: 'Java 17 and Maven',
		node: ['test/lab/dynamodb-local/main.ts'],
	},
	collector: {
		what: 'Builds an OpenTelemetry Collector, sends it the traces of all calls and leads that a release stored, and compares its spans.',
		takes: '3 minutes',
		needs: 'Go, and its module proxy',
		node: ['test/lab/collector/main.ts'],
	},
	bench: {
		what: 'Measures speed, size and cost against the goals and against BullMQ: --only <section>; --only desk --calls 20000.',
		takes: '25 minutes; a section 1 to 6',
		needs: 'redis-server for the comparison',
		node: ['test/lab/bench/main.ts'],
	},
	cost: {
		what: 'Counts what a call uses on the local stack, and prices it.',
		takes: '1 minute',
		node: ['test/lab/bench/main.ts', '--only', 'cost'],
	},
	against: {
		what: 'Compares the processor time of the requests visitors wait for, cold and warm, with that of a commit: against <commit>.',
		takes: '5 minutes, and 2 for the commit’s packages',
		needs: 'the history of git, and the registry of npm',
		node: ['test/lab/against/main.ts'],
	},
	machines: {
		what: 'Starts and tests a clean clone on a machine that pretends to be each platform, also where the table’s stand-in cannot be installed.',
		takes: '6 minutes',
		needs: 'Linux x64, git and the registry of npm',
		node: ['test/lab/machines/main.ts'],
	},
	browsers: {
		what: 'Plays the widget’s story in Chromium, Firefox and WebKit and compares each state: browsers webkit light story.',
		takes: '5 minutes',
		needs: 'Firefox; WebKitGTK’s driver and browser, and Xvfb. What is missing is skipped',
		node: ['test/lab/browsers/main.ts'],
	},
	'old-browsers': {
		what: 'Plays the widget’s story in Chromium 92, 103 and 109. Where the widget does not run, it must show no button, and links must work.',
		takes: '2 minutes',
		needs: 'Linux x64 and the registry of npm once',
		installs: 'old-browsers',
		node: ['test/lab/browsers/old.ts'],
	},
	looks: {
		what: 'Takes the pictures that the pages of docs show: looks desk takes those with `desk` in their name.',
		takes: '2 minutes',
		node: ['test/lab/looks.ts'],
	},
};
