import { type Answer, call, eventually, type visitorBody } from './api.ts';

/** A visitor asks for a call, and cancels it when it is connected. */
export async function cancelWhileTalking(
	base_url: string,
	origin: string,
	body: ReturnType<typeof visitorBody>,
): Promise<Answer> {
	const requests = '/widget/call-requests';
	const { json, headers } = await call(base_url, requests, { body, headers: { origin } });
	const own = `${requests}/${json.data.id}`;
	await eventually('they talk', async () => {
		const { data } = (await call(base_url, `${own}/status`, { headers: { origin } })).json;
		return data.status === 'connected' ? true : null;
	});
	const secret = { cancel_secret: headers.get('cancel-secret') };
	return call(base_url, `${own}/cancel`, { body: secret, headers: { origin } });
}
