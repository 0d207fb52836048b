import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { queueVariables } from '../../shared/ports/registry.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { mutated } from './bench/hook.ts';
import { restProviders } from './bench/providers.ts';
import { back, forward, kindsOf } from './compared.ts';
import { heldKinds, todaysKinds } from './held-kinds.ts';
import { missingKinds, recordIn } from './kinds.ts';
import { mutants } from './mutants.ts';
import { newSince, noLongerHandedOut } from './new-kinds.ts';
import { jsonFrom } from './process.ts';
import { releases, type Samples, samplesOf } from './samples.ts';
import { misfits, readShapes, type Shape } from './shapes.ts';

const RULE = 'CONTRIBUTING.md, "What is stored", says how to change a stored form.';
const LIST_IT = 'If the release did not have it, list it in test/upgrade/new-kinds.ts.';
const todays = readShapes(join(import.meta.dirname, '../..'));
/** What the failing test says: the rule after each reason. */
const told = (reasons: readonly string[]) => [...new Set(reasons)].map((reason) => `${reason}. ${RULE}`);

describe.each(releases())('release %s', (release) => {
	const samples = samplesOf(release);

	it.each([...kindsOf(samples.shapes)])('today’s code reads each form of its %s', (kind, written) => {
		expect(told(forward(kind, todays, written))).toEqual([]);
	});

	it.each([...kindsOf(todays)])('reads each form of today’s %s', (kind, written) => {
		expect(told(back(kind, samples.shapes, written))).toEqual([]);
	});

	it('has a sample of each kind that its registry had', () => {
		const stored = new Set(samples.state.items.map((item) => recordIn(item).kind));
		const sent = new Set(samples.messages.map(({ queue }) => queue));
		expect(Object.keys(samples.shapes.records).filter((kind) => !stored.has(kind))).toEqual([]);
		expect(Object.keys(samples.shapes.messages).filter((queue) => !sent.has(queue))).toEqual([]);
	});

	it('works with each kind in a step', () => {
		const covered = new Set(samples.steps.flatMap(({ step }) => step.covers));
		const wanted = [
			...Object.keys(samples.shapes.records),
			...Object.keys(samples.shapes.messages).map((queue) => `message ${queue}`),
		];
		expect(wanted.filter((kind) => !covered.has(kind))).toEqual([]);
	});

	it('has samples of each kind of today’s code that is not listed as new since', () => {
		const held = heldKinds(samples);
		const isNew = new Set(newSince[release]);
		const missing = todaysKinds(todays).filter((kind) => !held.has(kind));
		const unlisted = missing.filter((kind) => !isNew.has(kind) && !noLongerHandedOut.includes(kind));
		expect(unlisted.map((kind) => `Release ${release} has no sample of a ${kind}. ${LIST_IT}`)).toEqual([]);
		expect([...isNew].filter((kind) => !missing.includes(kind))).toEqual([]);
	});

	it.each(Object.keys(queueVariables))('today’s worker takes its messages of %s', (queue) => {
		const schema = new Map(Object.entries(messageSchemas)).get(queue);
		const own = samples.messages.filter((message) => message.queue === queue);
		expect(own.filter(({ body }) => schema?.safeParse(JSON.parse(body)).success !== true)).toEqual([]);
	});
});

describe('what today’s code writes', () => {
	const folder = temporaryDirectory('samples-');
	let written: Samples | null = null;
	beforeAll(async () => {
		for (const provider of ['', ...restProviders]) await jsonFrom('record.ts', join(folder, provider), provider);
		written = samplesOf('today', folder);
		rmSync(folder, { recursive: true, force: true });
	});

	it('has a sample of each kind, with and without each optional member, together with those of the releases', () => {
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

	it('is used in each kind that outlives a release', () => {
		const held = new Set([...(written === null ? [] : heldKinds(written)), ...noLongerHandedOut]);
		const missing = todaysKinds(todays).filter((kind) => !held.has(kind));
		const advice = 'Let its users hold it in test/upgrade/fill and use it in test/upgrade/steps.ts.';
		expect(missing.map((kind) => `There is no sample of a ${kind}. ${advice}`)).toEqual([]);
	});

	it.each(noLongerHandedOut)('is no %s any more, of which a release has samples', (kind) => {
		expect(releases().filter((release) => heldKinds(samplesOf(release)).has(kind))).not.toEqual([]);
	});

	it.each(releases())('has the forms that release %s reads', (release) => {
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

const withKind = (kind: string, shape: Shape | undefined, value: unknown): readonly string[] =>
	shape === undefined ? [] : misfits(shape, value).map((reason) => `${kind}: ${reason}`);

it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('can break today’s code: %s', (_, mutant) => {
	const source = readFileSync(join(import.meta.dirname, '../..', mutant.file), 'utf8');
	expect(mutated(source, mutant)).not.toBe(source);
});
