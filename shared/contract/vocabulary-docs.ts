import type { Component } from './kernel/operation-docs.ts';
import * as vocabulary from './vocabulary.ts';

export const vocabularyComponents = {
	AttemptError: {
		schema: vocabulary.AttemptError,
		description: 'Why an attempt failed. New values may be added: keep a default branch.',
	},
	CallStatus: {
		schema: vocabulary.CallStatus,
		description: '`completed`, `failed` and `canceled` are terminal; a call may skip `ringing` and `connected`.',
	},
	DeliveryStatus: {
		schema: vocabulary.DeliveryStatus,
		description:
			'`pending`: to be sent or retried; `succeeded`: the receiver answered 2xx; `failed`: the last attempt failed; `held`: the endpoint is disabled; `canceled`: the endpoint was deleted.',
	},
	DisabledReason: {
		schema: vocabulary.DisabledReason,
		description:
			'`gone`: the receiver answered 410; `failing`: no delivery succeeded for days; `manual`: you disabled it. New values may be added: keep a default branch.',
	},
	EndpointStatus: {
		schema: vocabulary.EndpointStatus,
		description: 'Whether we send events to the endpoint.',
	},
	EventKind: {
		schema: vocabulary.EventKind,
		description:
			'The event types that an endpoint can subscribe to. New values may be added; an endpoint receives only those it subscribes to.',
	},
	FailureReason: {
		schema: vocabulary.FailureReason,
		description: 'Why a call failed or was canceled. New values may be added: keep a default branch.',
	},
	LeadStatus: {
		schema: vocabulary.LeadStatus,
		description: 'A new lead is `pending`; your team changes it from there.',
	},
	UnavailableReason: {
		schema: vocabulary.UnavailableReason,
		description: 'Why a workspace places no call. New values may be added: keep a default branch.',
	},
} satisfies { readonly [Name in keyof typeof vocabulary]: Component };
