import { getCallRequestStatus } from '../../../shared/contract/widget/widget.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { statusIsReadable } from '../../../shared/domain/calls/poll-interval.ts';
import { forPollers, handle } from '../../../shared/http/edge/handle.ts';
import { NOT_FOUND } from '../../../shared/http/edge/refusals.ts';
import { overrides } from '../../../shared/overrides.ts';
import { requestStatus } from '../../../shared/use-cases/calls/request-status.ts';

export const handler = handle(forPollers, getCallRequestStatus, {
	deps: () => ({ ...edgeDeps(getCallRequestStatus.operation), speed: overrides.speed }),
	run: async ({ caller: { call } }, { clock, speed }) => {
		const now_ms = clock.now();
		if (!statusIsReadable(call, now_ms)) return { problem: NOT_FOUND };
		return { body: { data: requestStatus(call, { now_ms, speed }) } };
	},
});
