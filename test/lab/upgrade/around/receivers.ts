import { verifyWebhook } from '../../../../packages/client/webhooks.ts';
import { type Answer, type Post, startHttpsReceiver } from '../../../support/webhooks/https-receiver.ts';

/** How a customer's receiver behaves. `two-fail`: it accepts an event at the third attempt. */
export type Conduct = 'healthy' | 'two-fail' | 'silent' | 'broken' | 'gone' | 'reset';
export type Arrival = { readonly event_id: string; readonly event: string; readonly subject_id: string };
export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** Receivers of customers, each with its own path. They keep running while stacks stop and start. */
export async function startReceivers() {
	const server = await startHttpsReceiver();
	const conducts = new Map<string, Conduct>();
	const tries = new Map<string, number>();
	server.answers((post) => answerOf(conducts.get(post.path) ?? 'healthy', tryOf(post, tries)));
	let names = 0;
	return {
		options: server.options,
		stop: server.stop,
		/** Starts a new receiver. Returns its URL. */
		open(conduct: Conduct): string {
			names += 1;
			const path = `/receiver-${names}`;
			conducts.set(path, conduct);
			return server.url(path);
		},
		behaves(url: string, conduct: Conduct): void {
			conducts.set(new URL(url).pathname, conduct);
		},
		/** All requests to a URL, oldest first. */
		posts: (url: string): readonly Post[] => server.posts.filter(({ path }) => path === new URL(url).pathname),
	};
}

function tryOf({ path, headers }: Post, tries: Map<string, number>): number {
	const name = `${path} ${headers['webhook-id']}`;
	const count = (tries.get(name) ?? 0) + 1;
	tries.set(name, count);
	return count;
}

function answerOf(conduct: Conduct, tried: number): Answer {
	switch (conduct) {
		case 'healthy':
			return { status: 204 };
		case 'two-fail':
			return { status: tried <= 2 ? 500 : 204 };
		case 'broken':
			return { status: 500, body: 'out of order' };
		case 'gone':
			return { status: 410 };
		case 'silent':
		case 'reset':
			return conduct;
	}
}

/** The events of these requests. Throws if a request is not signed with one of the secrets. */
export function verified(posts: readonly Post[], secret: readonly string[]): readonly Arrival[] {
	return posts.map(({ body, headers, path }) => {
		const header = String(headers['service-signature']);
		const signedAtMs = Number(/t=(\d+)/.exec(header)?.[1]) * 1000;
		const verification = verifyWebhook({ body, header, secret }, signedAtMs);
		if (!verification.verified) throw new Error(`a request to ${path} does not verify: ${verification.error}`);
		const { id, event, data } = verification.event;
		return { event_id: id, event, subject_id: String(data['id']) };
	});
}
