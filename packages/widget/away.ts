import { type Config, configUrl } from './config.ts';
import type { Launcher } from './look/launcher.ts';
import { request } from './request/request.ts';

/**
 * How often a hidden launcher checks the clock, in milliseconds. One long timer would be late after the computer has slept.
 */
const LOOK_MS = 20_000;

/**
 * Shows a hidden launcher when the team with this key opens. One request asks when that will be. If the service does not
 * answer, the launcher is shown at once. If no opening is planned, the launcher stays hidden.
 */
export async function awaitOpening(launcher: Launcher, key: string, signal: AbortSignal): Promise<void> {
	const { button, baseUrl, language } = launcher;
	const show = (): void => button.removeAttribute('away');
	try {
		const response = await request(configUrl(baseUrl, key, language), { signal });
		const { data }: { data?: Config } = await response.json();
		launcher.wear(data?.look);
		if (!data || data.open) return show();
		if (!data.next_open_at) return;
		const { opens_in_ms: left_ms } = data;
		const opensMs = left_ms ? Date.now() + left_ms : Number(new Date(data.next_open_at));
		const timer = setInterval(() => {
			if (Date.now() < opensMs) return;
			clearInterval(timer);
			show();
		}, LOOK_MS);
		signal.addEventListener('abort', () => clearInterval(timer));
	} catch {
		if (!signal.aborted) show();
	}
}
