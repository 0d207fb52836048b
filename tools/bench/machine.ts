import { cpus, loadavg, release, totalmem } from 'node:os';
import { redisVersion } from './redis.ts';

/** Describes the machine on which the figures were measured. */
export async function machine(): Promise<string> {
	const [first] = cpus();
	const memory_gb = (totalmem() / 2 ** 30).toFixed(0);
	const redis = (await redisVersion()) ?? 'none';
	return [
		`${cpus().length} x ${first?.model.trim() ?? 'unknown processor'}, ${memory_gb} GB, ${process.platform} ${release()}`,
		`Node.js ${process.versions.node}, OpenSSL ${process.versions.openssl}, Redis ${redis}`,
		`load of the last minute ${loadavg()[0]?.toFixed(1)}: with more than the processors can do, only ratios mean anything`,
	].join('\n');
}
