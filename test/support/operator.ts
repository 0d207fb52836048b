import type { OpsDeps } from '../../ops/connect.ts';
import { runOps } from '../../ops/program.ts';
import type { Store } from '../../shared/ports/store.ts';

/** As `OpsDeps`, with any store. */
type OpsParts = Omit<OpsDeps, 'store'> & { readonly store: Store };

/** An operator's command line over these parts of a stack; `columns` wide if a terminal reads it. */
export function operatorAt(deps: Partial<OpsParts>, columns: number | null = null) {
	return async (...args: readonly string[]) => {
		const out: string[] = [];
		const err: string[] = [];
		const session = {
			progress: () => undefined,
			note: (line: string) => err.push(line),
			stopped: () => false,
			pause: async () => undefined,
		};
		const connect = async () => deps as OpsDeps;
		const code = await runOps(args, { connect, session, write: (text) => out.push(text), columns });
		return { code, out: out.join('\n'), err: err.join('\n') };
	};
}
