import { DatabaseSync } from 'node:sqlite';
import { buildApp } from 'fauxqs';
// The modules are imported by the paths of their files. The package itself exports only an app without persistence, and a
// server that listens on every interface.
import { PersistenceManager } from '../../node_modules/fauxqs/dist/persistence.js';
import { S3Store } from '../../node_modules/fauxqs/dist/s3/s3Store.js';
import { SnsStore } from '../../node_modules/fauxqs/dist/sns/snsStore.js';
import { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';

/**
 * The stand-in for SQS. Its queues are in `directory`, or in memory if `directory` is null. The caller makes the stand-in
 * listen.
 */
export function fauxqs(directory: string | null) {
	const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
	const close = directory === null ? () => undefined : keepIn(directory, stores);
	const app = buildApp({ logger: false, stores });
	app.addHook('preClose', (done) => {
		close();
		done();
	});
	return { app, queues: stores.sqsStore };
}

type Stores = { readonly sqsStore: SqsStore; readonly snsStore: SnsStore; readonly s3Store: S3Store };

/** Loads the queues from the directory, and stores every later change there. Call the returned function to stop storing. */
function keepIn(directory: string, { sqsStore, snsStore, s3Store }: Stores): () => void {
	const manager = new PersistenceManager(directory);
	leaveDiskToSystem(manager);
	// Like fauxqs, load the queues before `persistence` is set. Otherwise, messages that were loaded would be written
	// again.
	manager.load(sqsStore, snsStore, s3Store);
	sqsStore.persistence = manager;
	for (const queue of sqsStore.allQueues()) queue.persistence = manager;
	return () => manager.close();
}

/**
 * Keeps fauxqs from waiting 3 ms for the disk at every message, as fauxqs does by default. Without that wait, written data
 * is still safe in the operating system after a kill -9 (SQLite, "PRAGMA synchronous"). The database is a private field of
 * the manager. If another version of fauxqs has its database elsewhere, this function has no effect, and fauxqs is slower
 * but still correct.
 */
function leaveDiskToSystem(manager: PersistenceManager): void {
	const database: unknown = Reflect.get(manager, 'db');
	if (database instanceof DatabaseSync) database.exec('PRAGMA synchronous = NORMAL');
}
