/** Writes a masked number such as `+1********01` in groups: `+1 ••• ••• ••01`. */
export function readableMask(masked: string): string {
	return masked.replace(/\*+/, (stars) => ` ${(stars.replaceAll('*', '•').match(/.{1,3}/g) ?? []).join(' ')}`);
}
