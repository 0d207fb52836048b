import { getCallRequestStatus } from '../../../shared/contract/visitors/widget.ts';
import { edgeDeps, liveUrl } from '../../../shared/deps.ts';
import { statusIsReadable } from '../../../shared/domain/calls/poll-interval.ts';
import { forPollers, handle } from '../../../shared/http/handle.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';
import { overrides } from '../../../shared/overrides.ts';
import { requestStatus } from '../../../shared/use-cases/calls/request-status.ts';

export const handler = handle(forPollers, getCallRequestStatus, {
	deps: () => ({ ...edgeDeps(getCallRequestStatus.operation), speed: overrides.speed, live_url: liveUrl() }),
	run: async ({ caller: { call } }, { clock, speed, live_url }) => {
		const now_ms = clock.now();
		if (!statusIsReadable(call, now_ms)) return { problem: NOT_FOUND };
		return { answer: { data: requestStatus(call, { now_ms, speed }, live_url) } };
	},
});
