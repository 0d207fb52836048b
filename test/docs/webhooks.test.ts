import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../packages/client/webhooks.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../shared/domain/webhooks/retry-schedule.ts';
import { signatureHeaders } from '../../shared/domain/webhooks/webhook-signature.ts';
import { blocksOf } from '../support/fenced-blocks.ts';

type Vectors = {
	readonly signatures: readonly {
		readonly name: string;
		readonly secrets: readonly string[];
		readonly event_id: string;
		readonly t: number;
		readonly body: string;
		readonly service_signature: string;
		readonly webhook_signature: string;
	}[];
	readonly verifications: readonly {
		readonly name: string;
		readonly secret: string;
		readonly service_signature: string;
		readonly body: string;
		readonly now: number;
		readonly verified: boolean;
	}[];
};
const repository = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const { signatures, verifications }: Vectors = JSON.parse(read('docs/webhook-vectors.json'));
const document = read('docs/webhooks.md');
const blocks = blocksOf('docs/webhooks.md');

describe('the signature vectors', () => {
	it('contain the example that the Standard Webhooks libraries test with', () => {
		expect(signatures[0]).toMatchObject({
			secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
			t: 1_614_265_330,
			body: '{"test": 2432232314}',
			service_signature: 't=1614265330,v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964',
			webhook_signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		});
	});

	it.each(signatures)('match our signer: $name', ({ secrets, event_id, t, body, ...expected }) => {
		const headers = signatureHeaders({ secrets, event_id, body, now_ms: t * 1000 + 999 });
		expect(headers['service-signature']).toBe(expected.service_signature);
		expect(headers['webhook-signature']).toBe(expected.webhook_signature);
	});

	it.each(signatures)('are HMACs of the time and the body: $name', ({ secrets, t, body, service_signature }) => {
		const v1 = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`);
		expect([`t=${t}`, ...v1].join()).toBe(service_signature);
	});

	it.each(signatures)('are accepted by the standardwebhooks package with each of their secrets: $name', (vector) => {
		const { event_id, t, body, secrets, webhook_signature } = vector;
		jest.useFakeTimers({ now: t * 1000, doNotFake: ['nextTick', 'setImmediate'] });
		const headers = { 'webhook-id': event_id, 'webhook-timestamp': String(t), 'webhook-signature': webhook_signature };
		// The library parses verified bodies as JSON, which fails for an empty body. So an empty body is compared with the signature
		// that the library would make.
		for (const secret of secrets) {
			const webhook = new Webhook(secret);
			if (body !== '') expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
			expect(webhook_signature.split(' ')).toContain(webhook.sign(event_id, new Date(t * 1000), body));
		}
		expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow();
		jest.useRealTimers();
	});

	it.each(verifications)('get the expected verdict of our verifier, as text and as bytes: $name', (vector) => {
		const { service_signature: header, secret, now, verified } = vector;
		for (const body of [vector.body, Buffer.from(vector.body)]) {
			const result = verifyWebhook({ body, header, secret }, now * 1000);
			// A body that is no event is refused with its own error, although its signature is valid.
			expect(result.verified || result.error === 'body_invalid').toBe(verified);
			if (!result.verified) expect(result.hint).toMatch(/\w{4,}.*\.$/);
		}
	});
});

describe('our verifier', () => {
	const rotation = signatures.find(({ name }) => name.includes('during a rotation'));
	const body = rotation?.body ?? '';
	const [fresh = '', old = ''] = rotation?.secrets ?? [];
	const header = rotation?.service_signature ?? '';
	const nowMs = (rotation?.t ?? 0) * 1000;

	it('accepts the header as Node provides it, and several secrets', () => {
		expect(verifyWebhook({ body, header: [header], secret: [fresh] }, nowMs).verified).toBe(true);
		expect(verifyWebhook({ body, header, secret: ['whsec_gone', old] }, nowMs).verified).toBe(true);
	});

	it.each([
		['a line end', `${old}\n`],
		['a line end of Windows', `${old}\r\n`],
		['spaces', ` ${old}\t`],
		['double quotes', `"${old}"`],
		['single quotes and a line end', `'${old}'\n`],
		['a byte order mark', `\ufeff${old}`],
		['a byte order mark, quotes and a line end', `\ufeff"${old}"\r\n`],
		['a line end that was never unescaped', `"${old}\\n"`],
	])('reads a secret that a file contains with %s', (_what, secret) => {
		expect(verifyWebhook({ body, header, secret }, nowMs).verified).toBe(true);
		expect(verifyWebhook({ body, header, secret: ['whsec_gone', secret] }, nowMs).verified).toBe(true);
	});

	const bytes = new TextEncoder().encode(body);
	const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
	shared.set(bytes);
	it.each([
		['an ArrayBuffer', { body: bytes.buffer }],
		['a part of a larger buffer', { body: Buffer.from(`{${body}}`).subarray(1, -1) }],
		['a DataView', { body: new DataView(bytes.buffer) }],
		['a SharedArrayBuffer', { body: shared }],
		['Headers', { header: new Headers({ 'Service-Signature': header }) }],
		['the headers of Node.js', { header: { host: 'x', 'service-signature': header } }],
		['the headers of a gateway, as sent', { header: { 'Service-Signature': header } }],
		['lists of headers', { header: { 'service-signature': [header] } }],
		['a Request', { header: new Request('https://x.example', { headers: { 'service-signature': header } }) }],
		['a request of Node.js', { header: { headers: { 'service-signature': header } } }],
	])('reads %s', (_what, change: Partial<Parameters<typeof verifyWebhook>[0]>) => {
		expect(verifyWebhook({ body, header, secret: old, ...change }, nowMs)).toMatchObject({ verified: true });
	});

	it.each([
		['Headers without it', { header: new Headers({ other: header }) }, 'signature_missing'],
		['an empty object', { header: {} }, 'signature_missing'],
		['a number', { header: 7 }, 'signature_missing'],
		['a promise of a body', { body: Promise.resolve(bytes.buffer) }, 'body_not_raw'],
		['a secret of quotes only', { secret: '""' }, 'secret_missing'],
		['a secret that is a number', { secret: 7 }, 'secret_missing'],
	])('throws no error for %s', (_what, change, error) => {
		const input = { body, header, secret: old, ...change } as Parameters<typeof verifyWebhook>[0];
		expect(verifyWebhook(input, nowMs)).toMatchObject({ verified: false, error });
	});

	it.each([
		['a body that was parsed', { body: JSON.parse(body || '{}') }, 'body_not_raw'],
		['no body', { body: undefined }, 'body_not_raw'],
		['no secret', { secret: undefined }, 'secret_missing'],
		['an empty one among several', { secret: [old, ''] }, 'secret_missing'],
		['none of several', { secret: [] }, 'secret_missing'],
		['no header', { header: undefined }, 'signature_missing'],
		['another body', { body: `${body} ` }, 'signature_mismatch'],
		['a time long ago', { header: header.replace(/^t=\d+/, 't=1') }, 'timestamp_out_of_tolerance'],
		['a header without time', { header: header.slice(header.indexOf('v1')) }, 'signature_malformed'],
	])('says what is wrong with %s', (_what, change, error) => {
		const input = { body, header, secret: old, ...change } as Parameters<typeof verifyWebhook>[0];
		expect(verifyWebhook(input, nowMs)).toMatchObject({ verified: false, error });
	});
});

const run = promisify(execFile);

/** A recipe of the document, with some lines that read the test vectors and print one verdict per line. */
type Recipe = { readonly language: string; readonly command: string; readonly files: Readonly<Record<string, string>> };
const recipe = (language: string) => blocks.find((block) => block.language === language)?.text ?? '';
const recipes: readonly Recipe[] = [
	{
		language: 'Python',
		command: 'python3',
		files: {
			'main.py': `${recipe('python')}
import json
with open("vectors.json", encoding="utf-8") as file:
    for v in json.load(file):
        print(json.dumps(verify_webhook(v["body"].encode(), v["service_signature"], v["secret"], v["now"])))
`,
		},
	},
	{
		language: 'PHP',
		command: 'php',
		files: {
			'main.php': `<?php
${recipe('php')}
foreach (json_decode(file_get_contents('vectors.json'), true) as $v) {
    echo json_encode(verify_webhook($v['body'], $v['service_signature'], $v['secret'], $v['now'])), "\\n";
}
`,
		},
	},
	{
		language: 'Ruby',
		command: 'ruby',
		files: {
			'main.rb': `${recipe('ruby')}
require 'json'
JSON.parse(File.read('vectors.json', encoding: 'UTF-8')).each do |v|
  puts verify_webhook(v['body'], v['service_signature'], v['secret'], v['now'])
end
`,
		},
	},
	{
		language: 'Go',
		command: 'go',
		files: {
			'go.mod': 'module recipe\n\ngo 1.21\n',
			'webhooks/verify.go': recipe('go'),
			'main.go': `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"recipe/webhooks"
	"time"
)

func main() {
	text, _ := os.ReadFile("vectors.json")
	var vectors []struct {
		Body, Secret      string
		Now               int64
		Service_signature string
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		panic(err)
	}
	for _, v := range vectors {
		fmt.Println(webhooks.Verify([]byte(v.Body), v.Service_signature, v.Secret, time.Unix(v.Now, 0)))
	}
}
`,
		},
	},
];
const argumentsOf = ({ command, files }: Recipe) => (command === 'go' ? ['run', '.'] : Object.keys(files));
const isInstalled = (command: string) => {
	return spawnSync(command, [command === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0;
};

describe('the recipes of docs/webhooks.md', () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'recipes-'));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	for (const candidate of recipes) {
		const { language, command, files } = candidate;
		if (!isInstalled(command)) {
			it(`${language}: has a recipe, which did NOT run, because this machine has no ${command}`, () => {
				expect(recipe(language.toLowerCase())).not.toBe('');
			});
			continue;
		}
		it(`${language}: accepts and refuses the vectors as expected`, async () => {
			const cwd = join(folder, language);
			for (const [file, text] of Object.entries({ ...files, 'vectors.json': JSON.stringify(verifications) })) {
				mkdirSync(dirname(join(cwd, file)), { recursive: true });
				writeFileSync(join(cwd, file), text);
			}
			const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', LC_ALL: 'C' };
			const { stdout } = await run(command, argumentsOf(candidate), { cwd, env });
			const verdicts = stdout.trim().split('\n');
			expect(verdicts).toHaveLength(verifications.length);
			const wrong = verifications.filter(({ verified }, i) => verdicts[i] !== String(verified));
			expect(wrong.map(({ name }) => name)).toEqual([]);
		});
	}

	it('Node.js: the receiver, run as pasted, accepts and refuses the vectors as expected', async () => {
		const cwd = join(folder, 'node');
		mkdirSync(cwd);
		writeFileSync(join(cwd, 'receiver.mjs'), recipe('javascript'));
		writeFileSync(join(cwd, 'vectors.json'), JSON.stringify(verifications));
		const judge = `import { readFileSync } from 'node:fs';
import { verifyWebhook } from './receiver.mjs';
for (const v of JSON.parse(readFileSync('vectors.json', 'utf8'))) {
	console.log(verifyWebhook(Buffer.from(v.body), v.service_signature, v.secret, v.now));
}
process.exit();`;
		writeFileSync(join(cwd, 'judge.mjs'), judge);
		const { stdout } = await run(process.execPath, ['judge.mjs'], { cwd, env: { ...process.env, PORT: '0' } });
		const verdicts = stdout.split('\n').filter((line) => /^(true|false)$/.test(line));
		const wrong = verifications.filter(({ verified }, i) => verdicts[i] !== String(verified));
		expect(wrong.map(({ name }) => name)).toEqual([]);
		expect(verdicts).toHaveLength(verifications.length);
	});

	it('Node.js: the receiver, run as pasted, answers 204 to a signed event and 400 to others', async () => {
		const cwd = join(folder, 'node');
		const secret = 'whsec_0123456789abcdef0123456789abcdef';
		const env = { ...process.env, PORT: '0', WEBHOOK_SECRET: secret };
		const receiver = spawn(process.execPath, ['receiver.mjs'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
		try {
			const lines = createInterface({ input: receiver.stdout });
			const [listening]: string[] = await once(lines, 'line');
			const body = '{"id":"e","event":"call.completed","data":{"id":"c"}}';
			const send = async (sent: string, headers: Readonly<Record<string, string>>) => {
				const url = `http://localhost:${listening?.split(' ').at(-1)}/webhooks`;
				return (await fetch(url, { method: 'POST', body: sent, headers })).status;
			};
			const headers = signatureHeaders({ secrets: [secret], event_id: 'e', body, now_ms: Date.now() });
			const printed = once(lines, 'line');
			expect([await send(body, headers), await send(`${body} `, headers), await send(body, {})]).toEqual([
				204, 400, 400,
			]);
			expect(await printed).toEqual(['call.completed c']);
		} finally {
			receiver.kill();
		}
	});

	it('cover all languages with blocks in the document', () => {
		const languages = ['python', 'php', 'ruby', 'go'];
		expect(recipes.map(({ language }) => language.toLowerCase())).toEqual(languages);
		expect(blocks.filter((block) => languages.includes(block.language))).toHaveLength(languages.length);
	});
});

describe('docs/webhooks.md', () => {
	it('has the actual retry schedule', () => {
		const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };
		const row = /^\| after the one before \|(.*)\|$/m.exec(document)?.[1] ?? '';
		const seconds = row.split('|').map((cell) => {
			const [amount, unit = ''] = cell.trim().split(' ');
			return Number(amount) * (units[unit] ?? Number.NaN);
		});
		expect(seconds).toEqual(RETRY_SCHEDULE_SECONDS);
	});

	it('names every event type', () => {
		const named = [...document.matchAll(/^\| `(call[.\w]*)` \|/gm)].map(([, kind]) => kind);
		expect(named.sort()).toEqual([...eventKinds].sort());
	});

	it('shows an envelope for which one of the vectors has the signature', () => {
		const shown = blocks.find(({ language }) => language === 'json')?.text ?? '';
		expect(signatures.map(({ body }) => body)).toContain(JSON.stringify(JSON.parse(shown)));
	});
});
