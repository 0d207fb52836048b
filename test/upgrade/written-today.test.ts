import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { KEPT_SECONDS as TALLY_SECONDS } from '../../shared/domain/calls/tally.ts';
import { KEPT } from '../support/kept.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { restProviders } from './bench/providers.ts';
import { heldKinds, todaysKinds } from './held-kinds.ts';
import { missingKinds, recordIn } from './kinds.ts';
import { noLongerHandedOut } from './new-kinds.ts';
import { jsonFrom } from './process.ts';
import { FIRST_DAY, releases, type Samples, samplesOf } from './samples.ts';
import { misfits, readShapes, type Shape } from './shapes.ts';

const DAY_SECONDS = 24 * 3600;
const RULE = 'CONTRIBUTING.md, "What is stored", says how to change a stored form.';
const todays = readShapes(join(import.meta.dirname, '../..'));
/** The text of a failing test: each reason, followed by the rule. */
const told = (reasons: readonly string[]) => [...new Set(reasons)].map((reason) => `${reason}. ${RULE}`);

describe('what today’s code writes', () => {
	const folder = temporaryDirectory('samples-');
	let written: Samples | null = null;
	beforeAll(async () => {
		for (const provider of ['', ...restProviders]) await jsonFrom('record.ts', join(folder, provider), provider);
		written = samplesOf('today', folder);
		rmSync(folder, { recursive: true, force: true });
	});

	it('has, together with the samples of the releases, each kind with and without each of its optional fields', () => {
		const all = [...releases().map((release) => samplesOf(release)), ...(written === null ? [] : [written])];
		const items = all.flatMap(({ state }) => state.items);
		const missing = missingKinds(
			todays,
			items,
			all.flatMap(({ messages }) => messages),
		);
		const advice = 'Let its users do what writes it in test/upgrade/fill, so that the next release has a sample.';
		expect(missing.map((name) => `There is no sample of ${name}. ${advice}`)).toEqual([]);
	});

	it('does not expire before the story begins, or later than docs/data-protection.md says', () => {
		const stories = written === null ? [] : [written, ...written.by_provider];
		const wrong = stories.flatMap(({ state: { items, now_ms } }) =>
			items.map(recordIn).flatMap(({ kind, fields }) => {
				const expiresMs = Number(fields['expires_at_epoch_s'] ?? Number.NaN) * 1000;
				const isRight = expiresMs > FIRST_DAY && expiresMs <= now_ms + longestMs(kind);
				return Number.isNaN(expiresMs) || isRight ? [] : [`${kind} ${fields['pk']}: ${expiresMs}`];
			}),
		);
		expect(wrong).toEqual([]);
	});

	it('includes a use of each kind of handed-out item that outlives a release', () => {
		const held = new Set([...(written === null ? [] : heldKinds(written)), ...noLongerHandedOut]);
		const missing = todaysKinds(todays).filter((kind) => !held.has(kind));
		const advice = 'Let its users hold it in test/upgrade/fill and use it in test/upgrade/steps.ts.';
		expect(missing.map((kind) => `There is no sample of a ${kind}. ${advice}`)).toEqual([]);
	});

	it.each(noLongerHandedOut)('no longer includes a %s, of which a release has samples', (kind) => {
		expect(releases().filter((release) => heldKinds(samplesOf(release)).has(kind))).not.toEqual([]);
	});

	it.each(releases())('has only fields and values that release %s reads', (release) => {
		const { shapes } = samplesOf(release);
		const records = (written?.state.items ?? []).map(recordIn);
		const reasons = [
			...records.flatMap(({ kind, fields }) => withKind(kind, shapes.records[kind], fields)),
			...(written?.messages ?? []).flatMap(({ queue, body }) =>
				withKind(queue, shapes.messages[queue], JSON.parse(body)),
			),
		];
		expect(told(reasons)).toEqual([]);
	});
});

/**
 * How long a record or counter of this kind is kept at most: docs/data-protection.md counts some of these times from the end of
 * the day on which it was written.
 */
const longestMs = (kind: string): number => (Math.max(...(kept.get(kind) ?? [])) + DAY_SECONDS) * 1000;
const kept: ReadonlyMap<string, readonly number[]> = new Map([
	...Object.entries(KEPT),
	['tally', [TALLY_SECONDS]],
	['counter', [DAY_SECONDS]],
]);

const withKind = (kind: string, shape: Shape | undefined, value: unknown): readonly string[] =>
	shape === undefined ? [] : misfits(shape, value).map((reason) => `${kind}: ${reason}`);
