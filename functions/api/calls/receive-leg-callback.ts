import { receiveLegCallback } from '../../../shared/contract/calls/telephony.ts';
import { publicDeps, telephony, workerDeps } from '../../../shared/deps.ts';
import { handleForProvider } from '../../../shared/http/edge/handle-provider.ts';
import { NOT_FOUND } from '../../../shared/http/edge/refusals.ts';
import { takeReport } from '../../../shared/use-cases/calls/provider-report.ts';
import { missedNoticeWrites } from '../../../shared/use-cases/notices/missed-call-notice.ts';

const { operation } = receiveLegCallback;

/** Repeated and late callbacks do no harm, because a report of a known fact changes nothing. */
export const handler = handleForProvider(receiveLegCallback, {
	deps: () => ({
		...workerDeps(operation),
		whenMissed: missedNoticeWrites,
		...publicDeps(operation),
		telephony: telephony(),
	}),
	run: async ({ at, report }, deps) => {
		if (report !== null && !(await takeReport(at, report, deps))) return { problem: NOT_FOUND };
		return { response: { statusCode: 204, headers: {} } };
	},
});
