import * as z from 'zod/mini';

export const LinkParams = z.object({ token: z.string() });
/** A page for people. */
export const Page = z.string();
/** The form on the page: one of the phones that it offers. */
export const ConfirmForm = z.object({ phone: z.string().check(z.minLength(1), z.maxLength(100)) });
