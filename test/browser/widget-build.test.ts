import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { buildWidget, type Manifest } from '../../infra/bundle/widget.ts';
import { backoff, jitter } from '../../packages/widget/request/pace.ts';

/** The largest allowed size of the files that every page loads, and of the files that load when a visitor opens the panel. */
const MOST_GZIP_BYTES = 6000;
const MOST_PANEL_GZIP_BYTES = 12_000;
/** The largest allowed size of the files that a page with several keys loads in addition. */
const MOST_CHOICE_GZIP_BYTES = 3500;

describe('the built widget', () => {
	let folder: string;
	let manifest: Manifest;
	let script: Buffer;
	let panel: Buffer;
	let choice: Buffer;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'widget-'));
		manifest = buildWidget(folder);
		script = readFileSync(join(folder, manifest.file));
		panel = readFileSync(join(folder, manifest.panel.file));
		choice = readFileSync(join(folder, manifest.choice.file));
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	it('weighs at most 6 kB for every page, 12 kB more for a visitor who opens it, and 3.5 kB more with several keys', () => {
		expect(manifest).toMatchObject({ size: script.length, gzip_size: gzipSync(script, { level: 9 }).length });
		expect(manifest.gzip_size).toBeLessThanOrEqual(MOST_GZIP_BYTES);
		expect(manifest.panel).toMatchObject({ size: panel.length, gzip_size: gzipSync(panel, { level: 9 }).length });
		expect(manifest.panel.gzip_size).toBeLessThanOrEqual(MOST_PANEL_GZIP_BYTES);
		expect(manifest.choice).toMatchObject({ size: choice.length, gzip_size: gzipSync(choice, { level: 9 }).length });
		expect(manifest.choice.gzip_size).toBeLessThanOrEqual(MOST_CHOICE_GZIP_BYTES);
	});

	it('has a versioned name, the same content under its permanent name, and an integrity value', () => {
		expect(readFileSync(join(folder, 'widget.js')).equals(script)).toBe(true);
		expect(manifest.integrity).toBe(`sha384-${createHash('sha384').update(script).digest('base64')}`);
		expect(readdirSync(folder).sort()).toEqual(
			[
				manifest.file,
				manifest.panel.file,
				manifest.choice.file,
				'widget.js',
				'manifest.json',
				...Object.values(manifest.texts),
			].sort(),
		);
	});

	it('names the panel by its integrity value, so that a page that pins the script also pins the panel', () => {
		expect(manifest.panel.integrity).toBe(`sha384-${createHash('sha384').update(panel).digest('base64')}`);
		expect(script.toString()).toContain(manifest.panel.integrity);
		expect(script.toString()).toContain(manifest.panel.file);
	});

	it('names the file for choosing a workspace only in the panel, by the integrity value of that file', () => {
		expect(manifest.choice.integrity).toBe(`sha384-${createHash('sha384').update(choice).digest('base64')}`);
		expect(panel.toString()).toContain(manifest.choice.integrity);
		expect(panel.toString()).toContain(manifest.choice.file);
		expect(script.toString()).not.toContain('choice.js');
	});

	it('is the same in every build', () => {
		expect(buildWidget(folder)).toEqual(manifest);
	});

	it('writes nothing into the page as markup, code or inline style', () => {
		expect(`${script}${panel}${choice}`).not.toMatch(
			/innerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setAttribute\("style"/,
		);
	});
});

describe('the poll interval', () => {
	it('backs off from 1 s to 30 s', () => {
		expect([1, 2, 3, 4, 5, 6, 7, 50].map(backoff)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('is the given interval, at most a tenth longer or shorter', () => {
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
