import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { buildWidget, type Manifest } from '../../widget/build.ts';
import { backoff, jitter } from '../../widget/pace.ts';
import { readPhone } from '../../widget/phone.ts';

/** The promise: at most 6 kB on the wire. */
const MOST_GZIP_BYTES = 6000;

describe('the built widget', () => {
	let folder: string;
	let manifest: Manifest;
	let script: Buffer;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'widget-'));
		manifest = buildWidget(folder);
		script = readFileSync(join(folder, manifest.file));
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	it('weighs at most 6 kB', () => {
		expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MOST_GZIP_BYTES);
		expect(manifest).toMatchObject({ size: script.length, gzip_size: gzipSync(script, { level: 9 }).length });
	});

	it('is one file with a versioned name, the same under its lasting name, and its integrity is said', () => {
		expect(readFileSync(join(folder, 'widget.js')).equals(script)).toBe(true);
		expect(manifest.integrity).toBe(`sha384-${createHash('sha384').update(script).digest('base64')}`);
		expect(readdirSync(folder).sort()).toEqual(
			[manifest.file, 'widget.js', 'manifest.json', ...Object.values(manifest.texts)].sort(),
		);
	});

	it('is the same however often it is built', () => {
		expect(buildWidget(folder)).toEqual(manifest);
	});

	it('writes nothing into the page as markup, code or inline style', () => {
		expect(script.toString()).not.toMatch(
			/innerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setAttribute\("style"/,
		);
	});

	it('has every text in every language', () => {
		const here = new URL('../../widget/texts/', import.meta.url);
		const texts = (file: string): Record<string, string | string[]> =>
			JSON.parse(readFileSync(new URL(file, here), 'utf8'));
		const english = texts('en.json');
		const files = readdirSync(here);
		expect(files).toEqual(expect.arrayContaining(['ar.json', 'de.json', 'en.json', 'es.json', 'fr.json']));
		for (const file of files) {
			const other = texts(file);
			expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort());
			expect(other).toMatchObject({ lang: file.replace('.json', ''), dir: expect.stringMatching(/^(ltr|rtl)$/) });
			for (const [key, text] of Object.entries(english)) {
				expect(other[key]).toHaveLength(Array.isArray(text) ? text.length : (other[key]?.length ?? 0));
				expect(String(other[key]).includes('{0}')).toBe(String(text).includes('{0}'));
				expect(String(other[key]).trim()).not.toBe('');
			}
		}
	});
});

describe('the shape of a number', () => {
	it.each([
		['+12025550101', ['DE'], '+12025550101'],
		['+1 (202) 555-0101', ['US'], '+12025550101'],
		['+49.30.901820', ['DE'], '+4930901820'],
		['0044 20 7946 0018', ['GB'], '+442079460018'],
		['+44 (0)20 7946 0018', ['GB'], '+442079460018'],
		['+49 30/901820', ['DE'], '+4930901820'],
		['\u202a+1\u00a0202\u2011555\u20110101\u202c', ['US'], '+12025550101'],
		['+٩٧١ ٥٠ ١٢٣ ٤٥٦٧', ['AE'], '+971501234567'],
		['+۹۸ ۲۱ ۱۲۳۴ ۵۶۷۸', ['IR'], '+982112345678'],
		['(202) 555-0101', ['US'], '+12025550101'],
		['1-202-555-0101', ['US', 'CA'], '+12025550101'],
		['(202) 555-0101', ['US', 'DE'], null],
		['030 901820', ['DE'], null],
		['+1 202 CALL', ['US'], null],
		['+0123456789', ['US'], null],
		['+123456', ['US'], null],
		['+1234567890123456', ['US'], null],
		['', ['US'], null],
	])('of "%s" where %j is called is read as %s', (typed, regions, number) => {
		expect(readPhone(typed, regions)).toBe(number);
	});

	it('is kept whatever separators a visitor puts between the digits', () => {
		const separators = fc.array(fc.constantFrom(' ', '-', '.', '(', ')', '[', ']', '\u00a0', '\u2013'), {
			maxLength: 2,
		});
		const digits = fc.tuple(
			fc.integer({ min: 1, max: 9 }),
			fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 14 }),
		);
		fc.assert(
			fc.property(digits, fc.infiniteStream(separators), ([first, rest], between) => {
				const number = `+${first}${rest.join('')}`;
				const typed = [...number].map((digit) => digit + [...between.next().value].join('')).join('');
				// That one is not a separator.
				fc.pre(!typed.includes('(0)'));
				expect(readPhone(typed, ['DE'])).toBe(number);
			}),
		);
	});
});

describe('the pace of requests', () => {
	it('backs off from 1 s to 30 s', () => {
		expect([1, 2, 3, 4, 5, 6, 7, 50].map(backoff)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('strays from what was asked by a tenth at most', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 60_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (ms, random) => {
				expect(jitter(ms, random)).toBeGreaterThanOrEqual(ms * 0.9 - 1e-6);
				expect(jitter(ms, random)).toBeLessThanOrEqual(ms * 1.1 + 1e-6);
			}),
		);
		expect(jitter(1000, 0)).toBeCloseTo(900);
		expect(jitter(1000, 1)).toBeCloseTo(1100);
	});
});
