import { parseArgs } from 'node:util';
import { type Conduct, misbehaviours } from './receivers.ts';
import { torture } from './torture.ts';

// `--misbehaving`: how many receivers do, each in another way, or their ways by name: `one-kind,first-two-fail`.
// `npm run torture -- --calls 2000 --endpoints 20 --misbehaving 5 --kills 12 --kill-every 6 --minutes 60`

const { values } = parseArgs({
	options: {
		calls: { type: 'string', default: '2000' },
		endpoints: { type: 'string', default: '20' },
		misbehaving: { type: 'string', default: '5' },
		kills: { type: 'string', default: '0' },
		'kill-every': { type: 'string', default: '6' },
		minutes: { type: 'string', default: '60' },
	},
});
function conducts(asked: string): readonly Conduct[] {
	if (/^\d+$/.test(asked)) return misbehaviours.slice(0, Number(asked));
	const named = asked.split(',').map((name) => misbehaviours.find((each) => each === name));
	const known = named.filter((name) => name !== undefined);
	if (known.length < named.length) throw new RangeError(`--misbehaving: a number, or some of ${misbehaviours.join()}`);
	return known;
}

const started = performance.now();
const report = await torture({
	calls: Number(values.calls),
	endpoints: Number(values.endpoints),
	misbehaving: conducts(values.misbehaving),
	kills: Number(values.kills),
	kill_every_ms: Number(values['kill-every']) * 1000,
	within_ms: Number(values.minutes) * 60_000,
	say: (line) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`),
});
console.log(report);
process.exitCode = report.faults.length > 0 ? 1 : 0;
