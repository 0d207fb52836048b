export type { ChangeOptions } from './calling.ts';
export { callBackClient } from './client.ts';
export { ApiError, NoAnswerError, type ProblemDocument } from './errors.ts';
export type { FollowedEvents, FollowOptions } from './follow.ts';
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
	WebhookEvent,
} from './operations.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export type { FieldError, ProblemCode } from './wire.ts';
