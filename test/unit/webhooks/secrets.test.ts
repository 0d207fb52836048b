import { expect, it } from '@jest/globals';
import { withNewSecret } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { newSecret } from '../../../shared/domain/webhooks/webhook-signature.ts';
import { samples } from '../../support/sample-records.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

it('a new secret raises the version of its endpoint, and removes expired secrets', () => {
	const endpoint = {
		...samples.webhook_endpoint,
		secrets: [
			{ sealed: 'live', expires_at: null },
			{ sealed: 'short', expires_at: at(5) },
			{ sealed: 'over', expires_at: at(0) },
		],
	};
	const changed = withNewSecret(endpoint, 'new', { overlap_seconds: 60, now_ms: NOW });
	expect(changed.version).toBe(endpoint.version + 1);
	expect(changed.secrets).toEqual([
		{ sealed: 'new', expires_at: null },
		{ sealed: 'live', expires_at: at(60) },
		{ sealed: 'short', expires_at: at(5) },
	]);
});

it('a secret is made of 32 bytes', () => {
	expect(() => newSecret(new Uint8Array(31))).toThrow('a secret takes 32 bytes');
});
