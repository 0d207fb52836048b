import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const text = { type: 'string' };
const whole = { type: 'integer' };
const address = { type: 'string', format: 'uri' };
const method = { type: 'string', format: 'http-method', enum: ['GET', 'POST'] };
/** CreateCall and UpdateCall of Twilio's OpenAPI description (twilio_api_v2010): the fields that we send, as it has them. */
const PUBLISHED = {
	create: {
		type: 'object',
		required: ['To', 'From'],
		additionalProperties: false,
		properties: {
			To: { type: 'string', format: 'endpoint' },
			From: { type: 'string', format: 'endpoint' },
			Url: address,
			Method: method,
			StatusCallback: address,
			StatusCallbackMethod: method,
			StatusCallbackEvent: { type: 'array', items: text },
			Timeout: whole,
			TimeLimit: whole,
			MachineDetection: text,
			MachineDetectionTimeout: whole,
		},
	},
	update: {
		type: 'object',
		additionalProperties: false,
		properties: { Status: { type: 'string', enum: ['canceled', 'completed'] } },
	},
} as const;
/** A form as its description types it: repeated fields are lists, digits are numbers. */
const typed = (form: URLSearchParams) =>
	Object.fromEntries(
		[...form.keys()].map((name) => {
			const values = form.getAll(name);
			const [only = ''] = values;
			if (name === 'StatusCallbackEvent') return [name, values];
			return [name, /^\d+$/.test(only) ? Number(only) : only];
		}),
	);

/** What the description finds wrong with a form; nothing if it allows it. */
export function judgedByTwilio(operation: keyof typeof PUBLISHED, form: URLSearchParams): string[] {
	const ajv = new Ajv({ formats: { endpoint: /^\+\d{8,15}$/, 'http-method': true } });
	formats.default(ajv);
	const judge = ajv.compile(PUBLISHED[operation]);
	return judge(typed(form))
		? []
		: (judge.errors ?? []).map(({ message, params }) => `${message} ${JSON.stringify(params)}`);
}
