import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../shared/domain/webhooks/retry-schedule.ts';
import type { Said } from './actors.ts';
import type { Stage } from './stage.ts';

// The rules for deliveries. bounds.ts has the rules for floods.

export async function checkDeliveries(stage: Stage, deliveries: readonly Delivery[], said: Said): Promise<void> {
	for (const { id } of deliveries) if (!said.listed.has(id)) stage.broken('every delivery is listed', id);
	for (const delivery of deliveries) {
		const { id, status, attempt_count } = delivery;
		const posts = stage.posts.filter(({ delivery_id }) => delivery_id === id);
		const whole = posts.filter(({ process }) => process !== null && !process.hurt);
		const endpoint = await stage.truth.get('webhook_endpoint', {
			workspace_id: delivery.workspace_id,
			id: delivery.endpoint_id,
		});
		if (status === 'pending') stage.broken('every delivery ends', `${id} is pending`);
		// A delivery that was held before its endpoint was enabled waits until a person recovers it.
		const enabledMs =
			endpoint?.status === 'enabled' ? (said.enabled_ms.get(endpoint.id) ?? 0) : Number.POSITIVE_INFINITY;
		if (status === 'held' && Date.parse(delivery.created_at) > enabledMs)
			stage.broken('only a disabled endpoint holds deliveries', id);
		const exhausted = status === 'failed' && delivery.last_attempt?.response_status !== 410;
		if (exhausted && !stage.pointed.has(id)) stage.broken('operators learn of every exhausted delivery', id);
		if (status === 'canceled' && endpoint !== null) stage.broken('only deletion cancels deliveries', id);
		if (status === 'succeeded' && !posts.some((post) => post.status === 200))
			stage.broken('what succeeded was received', id);
		if (attempt_count > posts.length)
			stage.broken('every attempt was a POST', `${id} ${attempt_count} ${posts.length}`);
		if (whole.length > attempt_count)
			stage.broken('a POST is repeated only by a crash', `${id}: ${whole.length} POSTs, ${attempt_count} attempts`);
		const untouched = delivery.generation === 1 && !said.asked_again.has(id);
		if (!untouched) continue;
		if (whole.filter((post) => post.status === 200).length > 1)
			stage.broken('nothing is delivered again after a success', id);
		for (const [position, post] of whole.entries()) {
			const next = whole[position + 1];
			if (next === undefined || next.attempt !== post.attempt + 1) continue;
			const waitMs = (RETRY_SCHEDULE_SECONDS[post.attempt] ?? 0) * 1000;
			if (next.at_ms - post.at_ms < waitMs) stage.broken('no attempt before its time', `${id} ${next.attempt}`);
		}
	}
}
