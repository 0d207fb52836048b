import { Duration } from 'aws-cdk-lib';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern } from 'aws-cdk-lib/aws-logs';
import { type Route, VERSION_PREFIX } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/contract/routes.ts';
import type { HttpApi } from '../http-api.ts';
import type { Raise } from './alarm.ts';
import { logMetric } from './log-metric.ts';

/** Requests in five minutes. A provider with a wrong clock, or a client with an old key, stays below these thresholds. */
const REFUSED_CALLBACKS = 20;
const REFUSED_KEYS = 100;

/** Alarms on signs of abuse in the access log: forged callbacks, guessed keys, an unusual number of calls. */
export function alarmsOfAbuse(raise: Raise, api: HttpApi, calls_per_hour: number): void {
	raise(
		'refused-callbacks',
		requestCount(api, 'RefusedCallbacks', withStatus('403', ofSurface('provider')), Duration.minutes(5)),
		{
			impact: 'Callbacks are forged, or the provider signs with another secret than ours and calls do not move on.',
			runbook: 'callbacks-are-refused',
			threshold: REFUSED_CALLBACKS,
			periods: 1,
		},
	);
	raise('refused-keys', requestCount(api, 'RefusedKeys', withStatus('401', ofSurface('server')), Duration.minutes(5)), {
		impact: 'API keys are being guessed, or a customer uses one that is revoked.',
		runbook: 'api-keys-are-refused',
		threshold: REFUSED_KEYS,
		periods: 1,
	});
	const requests = routes.filter(({ operation }) => operation === 'request-call');
	raise('calls-per-hour', requestCount(api, 'CallsAccepted', withStatus('202', requests), Duration.hours(1)), {
		impact: 'More calls are placed than expected: each costs money and rings a person.',
		runbook: 'many-calls',
		threshold: calls_per_hour,
		periods: 1,
	});
}

const ofSurface = (surface: Route['surface']): readonly Route[] => routes.filter((route) => route.surface === surface);

/** Counts the access log's requests on these routes with this status. */
function withStatus(status: string, of: readonly Route[]): IFilterPattern {
	const keys = of.map(({ method, path }) => `${method} ${VERSION_PREFIX}${path}`);
	const isRoute = keys.map((key) => FilterPattern.stringValue('$.route', '=', key));
	return FilterPattern.all(FilterPattern.stringValue('$.status', '=', status), FilterPattern.any(...isRoute));
}

function requestCount({ accessLog }: HttpApi, name: string, of: IFilterPattern, period: Duration): Metric {
	return logMetric(accessLog, name, { name, of, read: { statistic: Stats.SUM, period } });
}
