import { afterEach } from '@jest/globals';
import { startProviderApi } from './phone-provider.ts';

/** Starts providers' APIs for a test, and stops them after the test. */
export function providerApis() {
	const close: (() => Promise<void>)[] = [];
	afterEach(async () => {
		for (const each of close.splice(0)) await each();
	});
	return async (answer: Parameters<typeof startProviderApi>[0]) => {
		const started = await startProviderApi(answer);
		close.push(() => started.close());
		return started;
	};
}
