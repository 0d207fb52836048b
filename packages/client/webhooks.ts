export {
	type SignedRequest,
	TOLERANCE_SECONDS,
	type Verification,
	type VerificationError,
	verifyWebhook,
	type WebhookEvent,
} from '../../client/webhooks.ts';
