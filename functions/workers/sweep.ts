import { workerDeps } from '../../shared/deps.ts';
import { sweep } from '../../shared/use-cases/operations/sweep.ts';

const deps = workerDeps('sweep');

export const handler = async (): Promise<void> => {
	deps.log.info('swept', { operation: 'sweep', ...(await sweep(deps)) });
};
