import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorDeps, readOperatorEnv } from '../ops/connect.ts';
import { eventKinds } from '../shared/domain/event.ts';
import { permissions } from '../shared/domain/permission.ts';
import { createApiKey } from '../shared/use-cases/api-keys.ts';
import { createWorkspace } from '../shared/use-cases/create-workspace.ts';

/** The workspace that is there at the first start, with everything allowed. */
export type Demo = {
	readonly workspace_id: string;
	readonly workspace_key: string;
	readonly api_key: string;
	readonly allowed_origin: string;
	readonly inbox_url: string;
	/** Signs what the inbox gets. */
	readonly inbox_secret: string;
};

/** Simulated colleagues: both answer and press 1. */
const TEAM = ['+13125550101', '+14155550101'];
const GENEROUS = 100_000;
const LIMITS = {
	calls_per_number_per_day: GENEROUS,
	requests_per_address_per_window: GENEROUS,
	requests_per_workspace_per_window: GENEROUS,
	calls_per_day: GENEROUS,
};

type Place = { readonly base_url: string; readonly allowed_origin: string; readonly inbox_url: string };

/** Reads the demo workspace of an earlier run, or makes it: through the operator's use cases and the real API. */
export async function demoWorkspace(state_dir: string, operator: unknown, place: Place): Promise<Demo> {
	const file = join(state_dir, 'demo.json');
	if (existsSync(file)) {
		const demo: Demo = JSON.parse(readFileSync(file, 'utf8'));
		return demo;
	}
	const deps = await operatorDeps(readOperatorEnv(operator));
	const made = await createWorkspace(
		{
			name: 'Demo shop',
			region: 'US',
			origins: [place.allowed_origin],
			team: TEAM,
			limits: LIMITS,
			team_email: 'team@demo.example',
		},
		deps,
	);
	if ('refused' in made) throw new Error(`the demo workspace was refused: ${made.refused}`);
	const { id: workspace_id, workspace_key } = made.workspace;
	const key = await createApiKey({ workspace_id, name: 'demo', permissions }, deps);
	if ('refused' in key) throw new Error('the demo API key was refused');
	const inbox_secret = await subscribe(place, key.secret);
	const demo: Demo = {
		workspace_id,
		workspace_key,
		api_key: key.secret,
		allowed_origin: place.allowed_origin,
		inbox_url: place.inbox_url,
		inbox_secret,
	};
	writeFileSync(file, JSON.stringify(demo, null, '\t'), { mode: 0o600 });
	return demo;
}

/** Subscribes the inbox to everything, as a customer would; returns the signing secret. */
async function subscribe({ base_url, inbox_url }: Place, api_key: string): Promise<string> {
	const response = await fetch(`${base_url}/webhook-endpoints`, {
		method: 'POST',
		headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
		body: JSON.stringify({ url: inbox_url, events: eventKinds, description: 'The inbox of this machine' }),
	});
	const text = await response.text();
	if (response.status !== 201) throw new Error(`the inbox could not be subscribed: ${response.status} ${text}`);
	const { data }: { readonly data: { readonly secret: string } } = JSON.parse(text);
	return data.secret;
}
