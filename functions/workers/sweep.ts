import { workerDeps } from '../../shared/deps.ts';
import { sweep } from '../../shared/use-cases/retention/sweep.ts';

const deps = workerDeps('sweep');
/** The release of the tz database, such as 2026c. Opening hours depend on it. */
const zone_data = process.versions['tz'] ?? 'unknown';

export const handler = async (): Promise<void> => {
	deps.log.info('swept', { operation: 'sweep', zone_data, ...(await sweep(deps)) });
};
