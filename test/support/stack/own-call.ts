import { type Answer, call, eventually, visitorBody } from './api.ts';

/** A visitor asks for a call, and cancels it when it is connected. */
export async function cancelWhileTalking(
	base_url: string,
	site: Parameters<typeof visitorBody>[0],
	phone: string,
): Promise<Answer> {
	const origin = site.allowed_origin;
	const body = visitorBody(site, { phone });
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
