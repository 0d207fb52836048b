import { DatabaseSync } from 'node:sqlite';
import { buildApp } from 'fauxqs';
// By their files: the package exports an app that keeps nothing, and a server that listens on every interface.
import { PersistenceManager } from '../../node_modules/fauxqs/dist/persistence.js';
import { S3Store } from '../../node_modules/fauxqs/dist/s3/s3Store.js';
import { SnsStore } from '../../node_modules/fauxqs/dist/sns/snsStore.js';
import { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';

/** Builds SQS's stand-in; its queues are kept in `directory`, or in memory if that is null. The caller decides where it listens. */
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

/** Loads what the directory has and keeps every change there, until what it returns is called. */
function keepIn(directory: string, { sqsStore, snsStore, s3Store }: Stores): () => void {
	const kept = new PersistenceManager(directory);
	leaveDiskToSystem(kept);
	// In this order, as fauxqs does itself: what is loaded must not be written again.
	kept.load(sqsStore, snsStore, s3Store);
	sqsStore.persistence = kept;
	for (const queue of sqsStore.allQueues()) queue.persistence = kept;
	return () => kept.close();
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
