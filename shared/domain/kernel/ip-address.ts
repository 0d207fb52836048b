/** Parses any spelling of an IPv6 address into its eight groups in hexadecimal; null if it is not one. */
export function ipv6Groups(address: string): readonly string[] | null {
	if (!URL.canParse(`http://[${address}]`)) return null;
	const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
	const left = head === '' ? [] : head.split(':');
	const right = tail === undefined || tail === '' ? [] : tail.split(':');
	return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}
