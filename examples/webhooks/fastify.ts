import fastify from 'fastify';
import { type EventStore, sqliteEventStore } from './event-store.ts';
import { receiveWebhook } from './receive.ts';

/** A webhook receiver on Fastify 5. */
export function fastifyReceiver(options: { readonly secret: string; readonly store: EventStore }) {
	const app = fastify();
	// The route has a scope of its own, so that the rest of the application still parses JSON.
	app.register(async (scope) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 65_536 }, (_request, body, done) =>
			done(null, body),
		);
		scope.post<{ Body: Buffer }>('/webhooks', async (request, reply) => {
			const status = await receiveWebhook({ body: request.body, headers: request.headers }, options);
			return reply.code(status).send();
		});
	});
	return app;
}

// WEBHOOK_SECRET=whsec_… node examples/webhooks/fastify.ts
if (import.meta.main) {
	const store = sqliteEventStore(process.env['EVENTS_FILE'] ?? 'events.db');
	const app = fastifyReceiver({ secret: process.env['WEBHOOK_SECRET'] ?? '', store });
	await app.listen({ port: Number(process.env['PORT'] ?? 8080), host: '127.0.0.1' });
	console.log('listening', app.server.address());
}
