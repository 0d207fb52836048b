/** The longest address, and the longest part before the @ (RFC 5321). */
const LONGEST = 254;
const LONGEST_LOCAL = 64;
/**
 * The addresses that `<input type=email>` accepts and sends, by the HTML standard. If the domain is in another script, a
 * browser turns it into `xn--`.
 */
const SHAPE =
	/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** One plain address, such as `team@shop.example`: no display name, no quotes, no list. */
export function isEmailAddress(text: string): boolean {
	return text.length <= LONGEST && text.indexOf('@') <= LONGEST_LOCAL && SHAPE.test(text);
}

/** An address as the log shows it: its first character and its domain, as in `t***@shop.example`. */
export const maskedAddress = (address: string): string => address.replace(/(?<=^.)[^@]*/, '***');

/** The address without the part after a plus, which names a folder of the same mailbox (RFC 5233). */
export const mailboxOf = (address: string): string => address.replace(/(?<=[^@])\+[^@]*(?=@)/, '');
