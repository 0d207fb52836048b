/** RFC 5321's limits on an address and on its part before the @. */
const LONGEST = 254;
const LONGEST_LOCAL = 64;
/**
 * The addresses that `<input type=email>` accepts and sends, by the HTML standard. A browser turns other scripts of the
 * domain into `xn--`.
 */
const SHAPE =
	/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** One plain address, such as `team@shop.example`: no display name, no quotes, no list. */
export function isEmailAddress(text: string): boolean {
	return text.length <= LONGEST && text.indexOf('@') <= LONGEST_LOCAL && SHAPE.test(text);
}

/** An address for the log: its first character and its domain, as in `t***@shop.example`. */
export const maskedAddress = (address: string): string => address.replace(/(?<=^.)[^@]*/, '***');

/** The address whose mailbox gets the mail, without the part after a plus, which names a folder of it (RFC 5233). */
export const mailboxOf = (address: string): string => address.replace(/(?<=[^@])\+[^@]*(?=@)/, '');
