/**
 * Numbers that numbering plans reserve for fiction: no subscriber has such a number. Each pattern ends with the two digits
 * that choose a script. So the list has only blocks in which all hundred endings are reserved. The blocks are published by
 * NANPA, Ofcom ("Telephone numbers for use in TV and radio drama programmes"), ACMA, Arcep, and the Bundesnetzagentur
 * (Mitteilung 148/2021).
 */
const ranges: readonly RegExp[] = [
	// United States, Canada and the other countries of +1: 555-0100 to 555-0199 of every area.
	/^\+1[2-9]\d{2}55501\d{2}$/,
	// United Kingdom: eleven areas with a three-digit code, London, the north east, Cardiff, numbers that belong to no area,
	// mobile.
	/^\+441(?:1[3-8]|[2-6]1)4960\d{3}$/,
	/^\+442079460\d{3}$/,
	/^\+441914980\d{3}$/,
	/^\+442920180\d{3}$/,
	/^\+441632960\d{3}$/,
	/^\+447700900\d{3}$/,
	// Australia: 5550 0000 to 0099 and 7010 0000 to 0099 of each area.
	/^\+61[2378](?:5550|7010)00\d{2}$/,
	// France: one block of numbers in each part of the country, and one of mobile numbers.
	/^\+33(?:19900|26191|35301|46571|53649|63998)\d{4}$/,
	// Germany: Berlin, Frankfurt, Hamburg, Cologne, Munich.
	/^\+49(?:3023125|6990009|4066969|2214710|8999998)\d{3}$/,
];

export function isFiction(e164: string): boolean {
	return ranges.some((range) => range.test(e164));
}
