import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import * as ports from './ports.ts';
import type { Act } from './scenario.ts';
import { Died, type Stage } from './stage.ts';

// The operator, who changes the shop's rules while its team and its calls exist: regions, prefixes and hours.

type RulesAct = Extract<Act, { readonly act: 'change the rules' }>;

/**
 * Returns the settings for a change of the rules. `nth` chooses between possible values. For a refused prefix, it chooses a
 * number and how much of the number's beginning is refused. This is never the whole number, because the settings would then
 * show it.
 */
function rulesOf({ how, nth }: RulesAct, numbers: readonly string[]): Parameters<typeof changeWorkspace>[1] {
	const number = numbers[nth % numbers.length] ?? '';
	switch (how) {
		case 'another region':
			return { region: 'GB', allowed_regions: ['US', 'GB'].slice(nth % 2) };
		case 'refuse a prefix':
			return { refused_prefixes: [number.slice(0, 2 + (nth % (number.length - 4)))] };
		case 'allow all again':
			return { region: 'US', allowed_regions: ['US'], refused_prefixes: [] };
		case 'close':
			return { business_hours: { weekly: [{ weekday: 0, from_minute: 0, to_minute: 60 }], holidays: [] } };
		case 'open':
			return { business_hours: null };
	}
}

export function newOperator(stage: Stage, workspaceId: string) {
	const deps = {
		store: stage.store,
		sealer: ports.kmsNumberSealer(),
		numbers: phoneNumbers,
		macs: ports.kmsMacs(),
	};
	return async (act: RulesAct): Promise<void> => {
		const rules = rulesOf(act, stage.team_numbers);
		stage.tell('the operator', `${act.how} (${JSON.stringify(rules)})`);
		const { process, done } = stage.run('the operator', () => changeWorkspace(workspaceId, rules, deps));
		await done.catch((error: unknown) => {
			if (!process.hurt && !(error instanceof Died)) throw error;
		});
	};
}
