import * as z from 'zod/mini';
import { E164 } from '../../domain/kernel/phone-number.ts';

// What an operator sets for each provider; the functions read it from TELEPHONY_SETTINGS.

export const TwilioSettings = z.object({
	account_sid: z.string().check(z.regex(/^AC[0-9a-fA-F]{32}$/)),
	/** The number that people see: one of the account's. */
	from: z.string().check(z.regex(E164)),
	/** Whether to detect if a machine answered the visitor's leg; costs money and a moment of silence. */
	machine_detection: z._default(z.boolean(), false),
	/** Where Twilio processes and stores calls; each region has credentials of its own. */
	region: z.optional(z.enum(['us1', 'ie1', 'au1'])),
});

export const TelnyxSettings = z.object({
	/** The organisation that the TeXML application belongs to. */
	account_sid: z.string().check(z.minLength(1)),
	/** The TeXML application, which determines the outbound voice profile and so the permitted countries. */
	application_sid: z.string().check(z.minLength(1)),
	/** Base64 of the 32 bytes that Telnyx shows as the account's public key. */
	public_key: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)),
	from: z.string().check(z.regex(E164)),
	/** Where Telnyx processes requests under normal conditions. */
	region: z.optional(z.enum(['us', 'eu'])),
});

export const SimulatorSettings = z.object({ url: z.url(), secret: z.string().check(z.minLength(16)) });
