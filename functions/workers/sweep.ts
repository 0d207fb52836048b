import { workerDeps } from '../../shared/deps.ts';
import { sweep } from '../../shared/use-cases/operations/sweep.ts';

const deps = workerDeps('sweep');

export const handler = async (): Promise<void> => {
	const { calls, deliveries, notices, resumed: resumptions, late_ms } = await sweep(deps);
	deps.log.info('swept', { operation: 'sweep', count: calls + deliveries + notices + resumptions, late_ms });
};
