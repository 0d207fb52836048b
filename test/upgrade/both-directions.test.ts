import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { queueVariables } from '../../shared/ports/registry.ts';
import { mutated } from './bench/hook.ts';
import { back, forward, kindsOf } from './compared.ts';
import { heldKinds, todaysKinds } from './held-kinds.ts';
import { recordIn } from './kinds.ts';
import { mutants } from './mutants.ts';
import { newSince, noLongerHandedOut } from './new-kinds.ts';
import { releases, samplesOf } from './samples.ts';
import { readShapes } from './shapes.ts';

// Compares the types of stored data. written-today.test.ts tests the data that today's code really writes, and samples.test.ts
// the data that it reads.

const RULE = 'CONTRIBUTING.md, "What is stored", says how to change a stored form.';
const LIST_IT = 'If the release did not have it, list it in test/upgrade/new-kinds.ts.';
const todays = readShapes(join(import.meta.dirname, '../..'));
/** The text of a failing test: each reason, followed by the rule. */
const told = (reasons: readonly string[]) => [...new Set(reasons)].map((reason) => `${reason}. ${RULE}`);

describe.each(releases())('release %s', (release) => {
	const samples = samplesOf(release);

	it.each([...kindsOf(samples.shapes)])(
		'stored or sent each %s only with fields and values that today’s code reads',
		(kind, written) => {
			expect(told(forward(kind, todays, written))).toEqual([]);
		},
	);

	it.each([...kindsOf(todays)])('can read each %s that today’s types allow', (kind, written) => {
		expect(told(back(kind, samples.shapes, written))).toEqual([]);
	});

	it('has a sample of each kind of record and message that it had', () => {
		const stored = new Set(samples.state.items.map((item) => recordIn(item).kind));
		const sent = new Set(samples.messages.map(({ queue }) => queue));
		expect(Object.keys(samples.shapes.records).filter((kind) => !stored.has(kind))).toEqual([]);
		expect(Object.keys(samples.shapes.messages).filter((queue) => !sent.has(queue))).toEqual([]);
	});

	it('has a step that uses each kind of record and message', () => {
		const covered = new Set(samples.steps.flatMap(({ step }) => step.covers));
		const wanted = [
			...Object.keys(samples.shapes.records),
			...Object.keys(samples.shapes.messages).map((queue) => `message ${queue}`),
		];
		expect(wanted.filter((kind) => !covered.has(kind))).toEqual([]);
	});

	it('has samples of each kind of today’s code, except those that are listed as newer', () => {
		const held = heldKinds(samples);
		const isNew = new Set(newSince[release]);
		const missing = todaysKinds(todays).filter((kind) => !held.has(kind));
		const unlisted = missing.filter((kind) => !isNew.has(kind) && !noLongerHandedOut.includes(kind));
		expect(unlisted.map((kind) => `Release ${release} has no sample of a ${kind}. ${LIST_IT}`)).toEqual([]);
		expect([...isNew].filter((kind) => !missing.includes(kind))).toEqual([]);
	});

	it.each(Object.keys(queueVariables))('sent only such messages of %s as today’s worker accepts', (queue) => {
		const schema = new Map(Object.entries(messageSchemas)).get(queue);
		const own = samples.messages.filter((message) => message.queue === queue);
		expect(own.filter(({ body }) => schema?.safeParse(JSON.parse(body)).success !== true)).toEqual([]);
	});
});

it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('each mutant changes the code: %s', (_, mutant) => {
	const source = readFileSync(join(import.meta.dirname, '../..', mutant.file), 'utf8');
	expect(mutated(source, mutant)).not.toBe(source);
});
