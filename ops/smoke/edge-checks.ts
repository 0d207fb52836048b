import { changePeople } from '../../shared/use-cases/desk/people.ts';
import { bearer, expectStatus, listIn, mailsTo, type Site, SmokeFailure, singleIn, waitFor } from './probe.ts';
import { unusedNumber } from './unused-number.ts';

// Checks what happens before every operation: keys, permissions, origins, and limits of the gateway. Also checks the desk and the
// leads.

const MAIL_MS = 60_000;

export async function documentAndPaths(site: Site): Promise<void> {
	await expectStatus(site, '/openapi.json', 200);
	await expectStatus(site, '/smoke-test-of-a-path-that-is-none', 404);
}

export async function keysAndPermissions(site: Site): Promise<void> {
	await expectStatus(site, '/calls', 401);
	await expectStatus(site, '/calls', 401, { headers: bearer(`${site.api_key}x`) });
	await expectStatus(site, '/calls?limit=1', 200, { headers: bearer(site.reading_key) });
	const body = { url: 'https://example.com/hooks', events: ['call.failed'] };
	const headers = bearer(site.reading_key);
	await expectStatus(site, '/webhook-endpoints', 403, { body, headers });
}

export async function origins(site: Site): Promise<void> {
	const config = `/widget/config?workspace_key=${site.workspace_key}`;
	const allowedResponse = await expectStatus(site, config, 200, {
		headers: { origin: site.origin },
	});
	const corsHeaders = [allowedResponse.headers.get('access-control-allow-origin'), allowedResponse.headers.get('vary')];
	if (corsHeaders[0] !== site.origin || !/\borigin\b/i.test(corsHeaders[1] ?? '')) {
		throw new SmokeFailure('get-widget-config', `CORS headers ${JSON.stringify(corsHeaders)} for an allowed origin`);
	}
	const other = { headers: { origin: 'https://elsewhere.example' } };
	const refusedResponse = await expectStatus(site, config, 403, other);
	if (refusedResponse.headers.has('access-control-allow-origin')) {
		throw new SmokeFailure('get-widget-config', 'a CORS header for an origin that is not allowed');
	}
	const headers = { origin: site.origin, 'access-control-request-method': 'POST' };
	const preflight = await expectStatus(site, '/widget/call-requests', 204, {
		method: 'OPTIONS',
		headers,
	});
	if (preflight.headers.get('access-control-allow-origin') !== site.origin) {
		throw new SmokeFailure('preflight', 'no CORS header for an allowed origin');
	}
}

/** Sends malformed requests and expects a 4xx from the service or the gateway. A 5xx or a placed call is a failure. */
export async function hostileRequests(site: Site): Promise<void> {
	const raw = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
	await expectStatus(site, '/widget/call-requests', 'refusal', { raw, headers: { origin: site.origin } });
	const long = { ...bearer(site.reading_key), 'x-filler': 'x'.repeat(11_000) };
	await expectStatus(site, '/calls', 'refusal', { headers: long });
}

const form = ({ base_url }: Site, fields: Readonly<Record<string, string>>, cookie = '') => ({
	method: 'POST',
	raw: new TextEncoder().encode(new URLSearchParams(fields).toString()),
	headers: { origin: new URL(base_url).origin, 'content-type': 'application/x-www-form-urlencoded', cookie },
});

/**
 * Checks that the pages of the desk exist, and that neither the pages nor their forms do anything for a stranger. The check
 * causes no mail.
 */
async function strangerAtDesk(site: Site): Promise<void> {
	await expectStatus(site, '/desk/sign-in', 200);
	await expectStatus(site, '/desk/sign-in', 200, form(site, { address: 'smoke@unknown.example' }));
	await expectStatus(site, '/desk/links/made-up', 404);
	await expectStatus(site, '/desk/links/made-up', 404, form(site, { workspace: 'made-up' }));
	await expectStatus(site, '/desk/pages/today', 401);
	await expectStatus(site, '/desk/pages/today', 401, form(site, { action: 'resumed' }));
}

/**
 * Checks the desk. If the deployment's mails can be read, this includes a visit: signing in with an invitation, pausing the shop,
 * opening it again, and signing out.
 */
export async function desk(site: Site): Promise<string> {
	await strangerAtDesk(site);
	const { mailbox, workspace_id } = site;
	if (mailbox === null) return 'its pages answer; no sign-in, because no mailbox can be read';
	const address = `smoke-${Date.now()}@shop.example`;
	await changePeople(workspace_id, { change: 'invite', address, role: 'owner' }, site.deps);
	const link = await waitFor('notify-team', 'the invitation to the desk is mailed', MAIL_MS, async () => {
		const [text = ''] = await mailsTo(mailbox, address);
		return /http\S+\/desk\/links\/(\S+)/.exec(text)?.[1] ?? null;
	});
	const page = await expectStatus(site, `/desk/links/${link}`, 303, form(site, { workspace: workspace_id }));
	const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
	const { text } = await expectStatus(site, '/desk/pages/today', 200, { headers: { cookie } });
	const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
	for (const fields of [{ action: 'paused', for: 'hour' }, { action: 'resumed' }]) {
		await expectStatus(site, '/desk/pages/today', 303, form(site, { token, ...fields }, cookie));
	}
	await expectStatus(site, '/desk/pages/today', 303, form(site, { token, action: 'signed_out' }, cookie));
	await expectStatus(site, '/desk/pages/today', 401, { headers: { cookie } });
	return 'signed in from the mailbox';
}

/** Creates a lead and finds it in the list of leads. */
export async function leads(site: Site): Promise<void> {
	const body = {
		workspace_key: site.workspace_key,
		phone: unusedNumber('20'),
		name: 'Smoke test',
		consent: true,
		page_url: `${site.origin}/smoke`,
	};
	const request = { body, headers: { origin: site.origin } };
	const lead = singleIn(await expectStatus(site, '/widget/callback-leads', 201, request));
	const headers = bearer(site.api_key);
	await waitFor('list-callback-leads', 'a lead on the list', 15_000, async () => {
		const leads = listIn(await expectStatus(site, '/callback-leads', 200, { headers }));
		return leads.find(({ id }) => id === lead.id) ?? null;
	});
	const path = `/callback-leads/${lead.id}`;
	await expectStatus(site, path, 200, { headers });
	const update = { method: 'PATCH', body: { status: 'handled' }, headers };
	await expectStatus(site, path, 200, update);
}
