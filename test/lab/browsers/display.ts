import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { findProgram, startProgram } from './program.ts';

/** A rectangle of the display, in pixels. */
type Area = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

/** Indexes of words in the header of an X window dump (XWDFile.h). A word has 4 bytes. */
const [HEADER_SIZE, BYTES_PER_LINE, COLOURS] = [0, 12, 19];
const COLOUR_SIZE = 12;

function pngChunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const chunk = Buffer.alloc(body.length + 8);
	chunk.writeUInt32BE(data.length);
	body.copy(chunk, 4);
	chunk.writeUInt32BE(crc32(body), body.length + 4);
	return chunk;
}

/** A PNG of rows of red, green and blue bytes. In front of each row is a byte 0, which means "no filter". */
function pngOf(rows: Buffer, { width, height }: Area): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8);
	const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))];
	return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

/** A PNG of an area of an X window dump with 32 bits a pixel: blue, green, red, unused. */
function cutOut(dump: Buffer, area: Area): Buffer {
	const word = (at: number) => dump.readUInt32BE(at * 4);
	const start = word(HEADER_SIZE) + word(COLOURS) * COLOUR_SIZE;
	const rows = Buffer.alloc(area.height * (area.width * 3 + 1));
	let to = 0;
	for (let y = area.top; y < area.top + area.height; y++) {
		to++;
		for (let x = area.left; x < area.left + area.width; x++) {
			const from = start + y * word(BYTES_PER_LINE) + x * 4;
			rows.set([dump[from + 2] ?? 0, dump[from + 1] ?? 0, dump[from] ?? 0], to);
			to += 3;
		}
	}
	return pngOf(rows, area);
}

/**
 * Starts Xvfb, a display in memory. Null if Xvfb is not installed. The display's number is derived from the id of this process.
 */
export function startDisplay() {
	const file = findProgram('/usr/bin/Xvfb');
	if (file === undefined) return null;
	const folder = mkdtempSync(join(tmpdir(), 'display-'));
	mkdirSync(join(folder, 'gtk-3.0'));
	// WebKitGTK reads here that the person wants no animations.
	writeFileSync(join(folder, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
	const name = `:${100 + (process.pid % 900)}`;
	const options = ['-screen', '0', '1400x1200x24', '-nolisten', 'tcp', '-fbdir', folder];
	const program = startProgram(file, [name, ...options]);
	program.child.stderr?.resume();
	return {
		name,
		/** The folder in which the display's programs look for the person's settings. */
		settings: folder,
		/** A PNG of this area of the display as it looks now. */
		picture: (area: Area): Buffer => cutOut(readFileSync(join(folder, 'Xvfb_screen0')), area),
		async stop(): Promise<void> {
			await program.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
