import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, streamEncode } from 'dns-packet';

/** A name server's response to a question. Null for no response. */
export type Said = {
	readonly rcode?: number;
	readonly answers?: readonly Answer[];
	/** Sets the truncated flag over UDP, so that the client asks again over TCP. */
	readonly truncated?: boolean;
} | null;
export type Say = (name: string, type: string) => Said;

const RESPONSE = 1 << 15;
const TRUNCATED = 1 << 9;
const RECURSION_AVAILABLE = 1 << 7;

/** A name server on this machine, over UDP and TCP. The test sets its responses. */
export async function nameServer(say: Say) {
	const asked: string[] = [];
	const respond = (question: Packet, over: 'udp' | 'tcp'): Packet | null => {
		const [first] = question.questions ?? [];
		if (first === undefined) return null;
		asked.push(`${over} ${first.type} ${first.name}`);
		const said = say(first.name.toLowerCase(), first.type);
		if (said === null) return null;
		const cut = over === 'udp' && said.truncated === true;
		return {
			type: 'response',
			id: question.id ?? 0,
			flags: RESPONSE | RECURSION_AVAILABLE | (cut ? TRUNCATED : 0) | (said.rcode ?? 0),
			questions: [first],
			answers: cut ? [] : [...(said.answers ?? [])],
		};
	};
	const tcp = createServer((socket: Socket) => {
		socket.on('error', () => undefined);
		let read = Buffer.alloc(0);
		socket.on('data', (data: Buffer) => {
			read = Buffer.concat([read, data]);
			// Over TCP, each question follows its length, and several questions may arrive in one chunk.
			while (read.length >= 2 && read.length >= 2 + read.readUInt16BE()) {
				const end = 2 + read.readUInt16BE();
				const answer = respond(decode(read.subarray(2, end)), 'tcp');
				if (answer !== null) socket.write(streamEncode(answer));
				read = read.subarray(end);
			}
		});
	});
	tcp.listen(0, '127.0.0.1');
	await once(tcp, 'listening');
	const { port } = tcp.address() as AddressInfo;
	const udp = createSocket('udp4');
	udp.on('message', (data, from) => {
		const answer = respond(decode(data), 'udp');
		if (answer !== null) udp.send(encode(answer), from.port, from.address);
	});
	udp.bind(port, '127.0.0.1');
	await once(udp, 'listening');
	return {
		address: `127.0.0.1:${port}`,
		/** The questions so far in order, each like `udp A hook.example`. */
		asked,
		stop() {
			udp.close();
			tcp.close();
		},
	};
}

/** Records of a name. Each item of `data` is an IPv4 or IPv6 address, or `CNAME other.example`. */
export function records(name: string, ...data: readonly string[]): Answer[] {
	return data.map((text) => {
		if (text.startsWith('CNAME ')) return { type: 'CNAME', name, data: text.slice(6), ttl: 60 };
		return { type: text.includes(':') ? 'AAAA' : 'A', name, data: text, ttl: 60 };
	});
}
