export type { ChangeOptions } from '../../client/calling.ts';
export { callBackClient } from '../../client/client.ts';
export { ApiError, NoAnswerError, type ProblemDocument } from '../../client/errors.ts';
export type {
	Attempt,
	Call,
	CallbackLead,
	Filters,
	Page,
	Recovery,
	WebhookDelivery,
	WebhookDeliveryDetail,
	WebhookEndpoint,
	WebhookEndpointWithSecret,
} from '../../client/operations.ts';
export type { CallOptions, ClientOptions } from '../../client/transport.ts';
export type { FieldError, ProblemCode } from '../../client/wire.ts';
