import express from 'express';
import { type EventStore, sqliteEventStore } from './event-store.ts';
import { receiveWebhook } from './receive.ts';

/** A webhook receiver on Express 5. */
export function expressReceiver(options: { readonly secret: string; readonly store: EventStore }) {
	const app = express();
	// Keeps the raw bytes of any content type, but only for this route. Place this route before any app.use(express.json()).
	app.post('/webhooks', express.raw({ type: () => true, limit: '64kb' }), async (request, response) => {
		const status = await receiveWebhook({ body: request.body, headers: request.headers }, options);
		response.status(status).end();
	});
	app.use(express.json());
	return app;
}

// WEBHOOK_SECRET=whsec_… node examples/webhooks/express.ts
if (import.meta.main) {
	const store = sqliteEventStore(process.env['EVENTS_FILE'] ?? 'events.db');
	const app = expressReceiver({ secret: process.env['WEBHOOK_SECRET'] ?? '', store });
	const server = app.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => {
		console.log('listening', server.address());
	});
}
