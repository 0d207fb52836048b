import { type Config, configUrl } from '../config.ts';
import { tell } from '../tell.ts';
import type { Request } from './request.ts';

/** A workspace that the visitor can choose. */
export type Department = { readonly key: string; readonly config: Config };

/** A workspace that has not answered after this time is left out. */
const MOST_WAIT_MS = 2000;
/** The most keys on a page. More keys would be a mistake: each key costs a request whenever a visitor is asked to choose. */
const MOST_KEYS = 20;

type Asking = { readonly baseUrl: string; readonly language: string; readonly request: Request };

/** Asks all workspaces at once whether they accept calls now. */
export function departmentsOf(written: readonly string[], { baseUrl, language, request }: Asking) {
	const keys = [...new Set(written)].slice(0, MOST_KEYS);
	const told = new Set<string>();

	function leaveOut(key: string, why: unknown): null {
		if (!told.has(key)) {
			tell(
				`the workspace "${key}" is left out (${why}). It has to exist, to allow pages of ${location.origin}, and to answer`,
			);
			told.add(key);
		}
		return null;
	}

	async function ask(key: string, signal: AbortSignal): Promise<Department | null> {
		try {
			const response = await request(configUrl(baseUrl, key, language), { signal });
			const { data, code }: { readonly data?: Config; readonly code?: string } = await response.json();
			return data ? { key, config: data } : leaveOut(key, code);
		} catch (failure) {
			return leaveOut(key, failure);
		}
	}

	return {
		keys,
		/** The name of a workspace, as visitors see it. */
		async nameOf(key: string): Promise<string> {
			return (await ask(key, new AbortController().signal))?.config.name ?? '';
		},
		/** The workspaces that have answered in time, in the order in which the page lists them. */
		async ask(): Promise<readonly Department[]> {
			const late = new AbortController();
			// The signal alone is not enough: the page may have replaced `fetch` with a function that ignores it.
			const timeUp = new Promise<null>((resolve) => {
				setTimeout(() => {
					late.abort(`no answer in ${MOST_WAIT_MS} ms`);
					resolve(null);
				}, MOST_WAIT_MS);
			});
			const answers = await Promise.all(keys.map((key) => Promise.race([ask(key, late.signal), timeUp])));
			return answers.filter((answer) => answer !== null);
		},
	};
}
