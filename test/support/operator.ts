import type { OpsDeps } from '../../ops/connect.ts';
import { runOps } from '../../ops/program.ts';
import type { Store } from '../../shared/ports/store.ts';

/** `OpsDeps` with any kind of store. */
type OpsParts = Omit<OpsDeps, 'store'> & { readonly store: Store };

/**
 * An operator's command line that works on these parts of a stack. `columns`: the width of the terminal, or null if no terminal
 * reads the output.
 */
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
