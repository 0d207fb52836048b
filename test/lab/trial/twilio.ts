import { setTimeout as pause } from 'node:timers/promises';
import twilio from 'twilio';
import { ACCOUNT_SID, FROM } from '../../support/phones/account-answers.ts';
import type { Answering, Asked } from '../../support/phones/phone-provider.ts';
import { type Element, readMarkup } from '../../support/phones/read-markup.ts';

// A stand-in for Twilio with people on its phones. Everyone who is dialled answers, presses 1 when asked for a key, and enters
// the conference. When two people are in the conference, they talk for a moment, and the person who came last hangs up.

const TRIES = 4;
const BETWEEN_TRIES_MS = 500;
const RINGS_MS = 500;
const TALKS_MS = 2000;

type Line = {
	readonly sid: string;
	readonly to: string;
	readonly url: string;
	readonly status_url: string;
	status: string;
	answered_ms: number | null;
	ended_ms: number | null;
};

const named = (element: Element, name: string): Element | null =>
	element.name === name
		? element
		: element.children.reduce<Element | null>((found, one) => found ?? named(one, name), null);
const rfc2822 = (atMs: number): string => new Date(atMs).toUTCString().replace('GMT', '+0000');

/**
 * `saw` gets a line for each thing that happens. `reach` translates a URL that the service gave to one that this machine can
 * resolve.
 */
export function twilioWithPeople(authToken: string, saw: (line: string) => void, reach = (url: string) => url) {
	const lines: Line[] = [];
	const rooms = new Map<string, Line[]>();
	const ringing = new Set<Promise<void>>();
	let closed = false;

	/**
	 * Sends a signed request to the service, and repeats it if it fails, as `#rc=3` in the URL asks. Returns the body of the
	 * response.
	 */
	async function tell(line: Line, address: string, more: Readonly<Record<string, string>>): Promise<string> {
		const [url = ''] = address.split('#');
		const given = {
			AccountSid: ACCOUNT_SID,
			CallSid: line.sid,
			To: line.to,
			From: FROM,
			...more,
			Timestamp: rfc2822(Date.now()),
		};
		const headers = { 'x-twilio-signature': twilio.getExpectedTwilioSignature(authToken, url, given) };
		for (let tries = 1; !closed; tries += 1) {
			const answer = await fetch(reach(url), { method: 'POST', headers, body: new URLSearchParams(given) }).catch(
				() => null,
			);
			if (answer?.ok) return await answer.text();
			if (tries === TRIES) throw new Error(`${more['CallStatus']} was answered with ${answer?.status ?? 'nothing'}`);
			await pause(BETWEEN_TRIES_MS);
		}
		throw new Error('the trial is over');
	}
	async function report(line: Line, status: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
		line.status = status;
		saw(`phone ${lines.indexOf(line) + 1}: ${status}`);
		await tell(line, line.status_url, { CallStatus: status, ...more });
	}
	async function end(line: Line): Promise<void> {
		if (line.ended_ms !== null) return;
		line.ended_ms = Date.now();
		const seconds = line.answered_ms === null ? 0 : Math.ceil((line.ended_ms - line.answered_ms) / 1000);
		await report(line, line.answered_ms === null ? 'canceled' : 'completed', { CallDuration: String(seconds) });
	}
	async function enter(line: Line, room: string): Promise<void> {
		const inside = [...(rooms.get(room) ?? []), line];
		rooms.set(room, inside);
		saw(`phone ${lines.indexOf(line) + 1}: in the room, ${inside.length} of 2`);
		if (inside.length < 2) return;
		await pause(TALKS_MS);
		// This conference has `endConferenceOnExit`, so the other person's call continues after it, with the <Hangup/> that
		// follows.
		for (const one of inside.reverse()) await end(one);
	}
	async function obey(line: Line, markup: string): Promise<void> {
		const response = readMarkup(markup);
		const room = named(response, 'Conference')?.text;
		const action = named(response, 'Gather')?.attributes['action'];
		if (room !== undefined) await enter(line, room);
		else if (action === undefined) await end(line);
		else {
			saw(`phone ${lines.indexOf(line) + 1}: presses 1`);
			await obey(line, await tell(line, action, { CallStatus: 'in-progress', Digits: '1' }));
		}
	}
	async function ring(line: Line): Promise<void> {
		try {
			await report(line, 'ringing');
			await pause(RINGS_MS);
			if (line.ended_ms !== null) return;
			line.answered_ms = Date.now();
			await report(line, 'in-progress');
			await obey(line, await tell(line, line.url, { CallStatus: 'in-progress' }));
		} catch (error) {
			saw(`phone ${lines.indexOf(line) + 1}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	function later(doing: Promise<void>): void {
		ringing.add(doing);
		doing.catch(() => saw('a report was not taken')).finally(() => ringing.delete(doing));
	}
	function dial(fields: URLSearchParams): Answering {
		const text = (name: string): string => fields.get(name) ?? '';
		const sid = `CA${String(lines.length + 1).padStart(32, '0')}`;
		const addresses = { to: text('To'), url: text('Url'), status_url: text('StatusCallback') };
		const line: Line = { sid, ...addresses, status: 'queued', answered_ms: null, ended_ms: null };
		lines.push(line);
		saw(`phone ${lines.length}: dialled`);
		later(ring(line));
		return { status: 201, body: resource(line) };
	}
	/**
	 * Deletes the record of a call (https://www.twilio.com/docs/voice/api/call-resource#delete-a-call-resource). Error 20009: the
	 * call is not over.
	 */
	function forget(line: Line): Answering {
		if (line.ended_ms === null) return { status: 409, body: { code: 20009 } };
		lines.splice(lines.indexOf(line), 1);
		return { status: 204 };
	}
	function answer({ method, path, body, headers }: Asked): Answering {
		const credentials = Buffer.from(`${ACCOUNT_SID}:${authToken}`).toString('base64');
		if (headers['authorization'] !== `Basic ${credentials}`) return { status: 401, body: { code: 20003 } };
		const line = lines.find(({ sid }) => path.includes(sid));
		if (line === undefined && method === 'POST') return dial(new URLSearchParams(body));
		if (line === undefined) return { status: 200, body: { calls: lines.map(resource) } };
		if (method === 'POST') later(end(line));
		if (method === 'DELETE') return forget(line);
		return { status: 200, body: resource(line) };
	}
	return {
		answer,
		/** The numbers of the calls whose records were not deleted. */
		numbers: () => lines.map(({ to }) => to),
		async close(): Promise<void> {
			closed = true;
			await Promise.allSettled(ringing);
		},
	};
}

function resource({ sid, to, status, answered_ms, ended_ms }: Line) {
	const duration = answered_ms === null || ended_ms === null ? null : Math.ceil((ended_ms - answered_ms) / 1000);
	const end_time = ended_ms === null ? null : rfc2822(ended_ms);
	return { sid, to, from: FROM, status, end_time, duration: duration === null ? null : String(duration) };
}
