import * as z from 'zod/mini';
import { callStatuses, failureReasons } from '../domain/calls/call.ts';
import { leadStatuses } from '../domain/leads/callback-lead.ts';
import { attemptErrors, deliveryStatuses } from '../domain/webhooks/delivery.ts';
import { eventKinds } from '../domain/webhooks/event.ts';
import { disabledReasons, endpointStatuses } from '../domain/webhooks/webhook-endpoint.ts';
import { unavailableReasons } from '../domain/workspaces/workspace.ts';

// The enumerations of requests and responses. Each enumeration has only one schema, so that the OpenAPI document defines it
// once.

export const CallStatus = z.enum(callStatuses);
export const FailureReason = z.enum(failureReasons);
export const UnavailableReason = z.enum(unavailableReasons);
export const LeadStatus = z.enum(leadStatuses);
export const EventKind = z.enum(eventKinds);
export const DeliveryStatus = z.enum(deliveryStatuses);
export const AttemptError = z.enum(attemptErrors);
export const EndpointStatus = z.enum(endpointStatuses);
export const DisabledReason = z.enum(disabledReasons);
