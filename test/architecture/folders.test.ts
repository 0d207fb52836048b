import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sourcesIn } from './check-imports.ts';

const repository = join(import.meta.dirname, '../..');

/**
 * Things that an engineer looks for: the thing, the word that the engineer searches for, and the file to which this word has to
 * lead.
 */
const LOOKUPS: readonly (readonly [thing: string, word: string, file: string])[] = [
	['retry schedule', 'retry-schedule', 'shared/domain/webhooks/retry-schedule.ts'],
	['circuit breaker', 'circuit-breaker', 'shared/domain/webhooks/circuit-breaker.ts'],
	['half-open probe', 'breaker', 'shared/domain/webhooks/circuit-breaker.ts'],
	['idempotency key', 'idempotency', 'shared/http/edge/idempotency.ts'],
	['rate limit', 'rate-limit', 'shared/domain/access/rate-limit.ts'],
	['CORS', 'cors', 'shared/http/edge/cors.ts'],
	['SSRF guard', 'ssrf', 'shared/domain/webhooks/ssrf-guard.ts'],
	['signature', 'webhook-signature', 'shared/domain/webhooks/webhook-signature.ts'],
	['dead-letter replay', 'replay-dead-letter', 'shared/use-cases/dead-letters/replay-dead-letter.ts'],
	['lease', 'lease', 'shared/domain/kernel/lease.ts'],
	['outbox', 'outbox', 'shared/use-cases/webhooks/event-outbox.ts'],
	['unit of work', 'unit-of-work', 'shared/use-cases/kernel/unit-of-work.ts'],
	['state machine of a call', 'call-machine', 'shared/domain/calls/call-machine.ts'],
	['deadline', 'deadline', 'shared/domain/calls/deadlines.ts'],
	['webhooks’ secret rotation', 'rotate', 'shared/use-cases/webhooks/rotate-webhook-secret.ts'],
	['session cookie', 'cookie', 'shared/domain/desk/session-cookie.ts'],
	['CSRF', 'csrf', 'shared/domain/desk/csrf-token.ts'],
	['role of a function', 'function-roles', 'infra/function-roles.ts'],
	['alarm', 'alarms', 'infra/constructs/alarms/alarms.ts'],
	['table definition', 'table', 'shared/adapters/dynamodb/table.ts'],
	['index', 'table', 'shared/adapters/dynamodb/table.ts'],
	['cursor', 'cursor', 'shared/domain/kernel/cursor.ts'],
	['consent', 'consent', 'shared/domain/workspaces/consent-text.ts'],
	['erasure', 'erase', 'shared/use-cases/retention/erase-person.ts'],
	['phone masking', 'mask', 'shared/domain/kernel/phone-mask.ts'],
	['TwiML', 'twiml', 'shared/adapters/telephony/twiml.ts'],
	['provider callback signature', 'signature', 'shared/adapters/telephony/twilio/twilio-signature.ts'],
	['numbering plan', 'numbering-plan', 'shared/adapters/numbering-plans/phone-number.ts'],
	['opening hours', 'hours', 'shared/domain/workspaces/business-hours.ts'],
	['log redaction', 'redact', 'shared/ports/log-redaction.ts'],
];

describe('a search for the usual word', () => {
	const MOST = 8;

	it.each(LOOKUPS)('finds the file of %s by its name: "%s"', (_thing, word, file) => {
		const found = sourcesIn(repository).filter(
			(path) => /^(shared|functions|infra)\//.test(path) && path.includes(word),
		);
		expect(found).toContain(file);
		expect(found.length).toBeLessThanOrEqual(MOST);
	});
});

/** The names of the values or types that files of the service export, each with these files. */
function exportedNames(pattern: RegExp): ReadonlyMap<string, readonly string[]> {
	const places = new Map<string, string[]>();
	for (const file of sourcesIn(repository).filter((path) => /^(shared|functions|infra|local|ops)\//.test(path))) {
		const text = readFileSync(join(repository, file), 'utf8');
		// The signatures of an overloaded function count as one name.
		const names = new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
		for (const name of names) places.set(name, [...(places.get(name) ?? []), file]);
	}
	return places;
}
const twice = (places: ReadonlyMap<string, readonly string[]>) => [...places].filter(([, files]) => files.length > 1);

describe('an exported type', () => {
	it('has a name that no other exported type of the service has; packages for customers may repeat the names of the contract', () => {
		const types = exportedNames(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm);
		expect(types.size).toBeGreaterThan(300);
		expect(twice(types)).toEqual([]);
	});
});

describe('an exported function or constant', () => {
	/**
	 * Three kinds of names may be exported by two files. A use case may have the same name as its route or its action of the
	 * desk. Every function exports `handler`. The service and the local stack both export `overrides`.
	 */
	const isOneThing = ([name, files]: readonly [string, readonly string[]]) =>
		name === 'handler' ||
		name === 'overrides' ||
		(files.length === 2 &&
			files.some((file) => file.includes('/use-cases/')) &&
			files.some((file) => file.includes('/contract/') || isActionOf(file, name)));
	const isActionOf = (file: string, name: string) =>
		readFileSync(join(repository, file), 'utf8').includes(`export const ${name} = defineAction(`);

	it('has a name that no other export of the service has', () => {
		const values = exportedNames(/^export (?:async )?(?:function\*?|const|let) (\w+)/gm);
		expect(values.size).toBeGreaterThan(1000);
		expect(twice(values).filter((each) => !isOneThing(each))).toEqual([]);
	});
});
