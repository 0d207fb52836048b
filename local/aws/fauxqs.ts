import { DatabaseSync } from 'node:sqlite';
import { buildApp } from 'fauxqs';
// By their files: the package exports an app that keeps nothing, and a server that listens on every interface.
import { PersistenceManager } from '../../node_modules/fauxqs/dist/persistence.js';
import { S3Store } from '../../node_modules/fauxqs/dist/s3/s3Store.js';
import { SnsStore } from '../../node_modules/fauxqs/dist/sns/snsStore.js';
import { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';

/** Builds SQS's stand-in with its queues kept in `directory`. The caller decides where it listens. */
export function keptFauxqs(directory: string): ReturnType<typeof buildApp> {
	const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
	const kept = new PersistenceManager(directory);
	leaveDiskToSystem(kept);
	// In this order, as fauxqs does itself: what is loaded must not be written again.
	kept.load(stores.sqsStore, stores.snsStore, stores.s3Store);
	stores.sqsStore.persistence = kept;
	for (const queue of stores.sqsStore.allQueues()) queue.persistence = kept;
	const app = buildApp({ logger: false, stores });
	app.addHook('preClose', (done) => {
		kept.close();
		done();
	});
	return app;
}

/**
 * fauxqs waits for the disk with every message, 3 ms each. What it has written is with the operating system, which a
 * kill -9 does not touch (SQLite, "PRAGMA synchronous"). Its database is private, so this is slower and still right if
 * another version of it keeps the database elsewhere.
 */
function leaveDiskToSystem(kept: PersistenceManager): void {
	const database: unknown = Reflect.get(kept, 'db');
	if (database instanceof DatabaseSync) database.exec('PRAGMA synchronous = NORMAL');
}
