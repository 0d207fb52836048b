import { instructLeg } from '../../../shared/contract/calls/telephony.ts';
import { callDeps, edgeDeps, telephony } from '../../../shared/deps.ts';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import { handleForProvider } from '../../../shared/http/edge/handle-provider.ts';
import { NOT_FOUND } from '../../../shared/http/edge/refusals.ts';
import { takeReport } from '../../../shared/use-cases/calls/provider-report.ts';
import { missedNoticeWrites } from '../../../shared/use-cases/notices/missed-call-notice.ts';

/**
 * The provider asks what a phone should do next, for example because a person has answered it or pressed a key. The handler
 * stores what the provider reports, if it reports something, and returns the next instruction. The response contains the
 * visitor's name, so a request that may belong to another leg gets no instruction. The person is on the phone and waits, so
 * the store has the time budget of an API function, and not the longer budget of a worker.
 */
export const handler = handleForProvider(instructLeg, {
	deps: () => ({
		...edgeDeps(instructLeg.operation),
		...callDeps(),
		whenMissed: missedNoticeWrites,
		telephony: telephony(),
	}),
	run: async ({ at, path, report }, deps) => {
		const call =
			report === null ? await deps.store.get('call', { id: at.call_id }) : await takeReport(at, report, deps);
		const moment = { now_ms: deps.clock.now(), speed: deps.speed };
		const instruction = call === null ? null : instructionFor(call, at.leg_id, moment);
		if (instruction === null) return { problem: NOT_FOUND };
		const { content_type, body } = deps.telephony.render(instruction, { call_id: at.call_id, path });
		return { response: { statusCode: 200, headers: { 'content-type': content_type }, body } };
	},
});
