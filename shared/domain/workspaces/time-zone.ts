// cspell:ignore Asmera Atikokan Jujuy Chuuk
/**
 * The current names of time zones in the tz database. The keys are the older names that the runtime still uses, because CLDR
 * keeps the first name of a zone.
 */
const TODAY = new Map([
	['Africa/Asmera', 'Africa/Asmara'],
	['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
	['America/Catamarca', 'America/Argentina/Catamarca'],
	['America/Coral_Harbour', 'America/Atikokan'],
	['America/Cordoba', 'America/Argentina/Cordoba'],
	['America/Godthab', 'America/Nuuk'],
	['America/Indianapolis', 'America/Indiana/Indianapolis'],
	['America/Jujuy', 'America/Argentina/Jujuy'],
	['America/Louisville', 'America/Kentucky/Louisville'],
	['America/Mendoza', 'America/Argentina/Mendoza'],
	['Asia/Calcutta', 'Asia/Kolkata'],
	['Asia/Katmandu', 'Asia/Kathmandu'],
	['Asia/Rangoon', 'Asia/Yangon'],
	['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
	['Atlantic/Faeroe', 'Atlantic/Faroe'],
	['Europe/Kiev', 'Europe/Kyiv'],
	['Pacific/Enderbury', 'Pacific/Kanton'],
	['Pacific/Ponape', 'Pacific/Pohnpei'],
	['Pacific/Truk', 'Pacific/Chuuk'],
]);
const inToday = (zone: string): string => TODAY.get(zone) ?? zone;

/**
 * The current name of a time zone. `text` may be an older name, in upper or lower case. Null if the text is not the zone of
 * a place, for example `+02:00`.
 */
export function timeZoneName(text: string): string | null {
	if (!text.includes('/')) return null;
	try {
		const zone = new Intl.DateTimeFormat('en', { timeZone: text.trim() }).resolvedOptions().timeZone;
		return zone.includes('/') ? inToday(zone) : null;
	} catch {
		return null;
	}
}

/** The time zones of a region (ISO 3166-1), by their current names. */
export const timeZonesOfRegion = (region: string): readonly string[] =>
	(new Intl.Locale(`und-${region}`).getTimeZones() ?? []).map(inToday).sort();

/** All time zones. The zones of the region come first. */
export function timeZones(region: string): readonly string[] {
	const all = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
	return [...new Set([...timeZonesOfRegion(region), ...all.map(inToday).sort()])];
}

/**
 * The usual time zone of a region with several zones, if all of these zones have the same time, or if almost everyone lives
 * in one of them.
 */
const USUAL: Readonly<Record<string, string>> = {
	CN: 'Asia/Shanghai',
	CY: 'Asia/Nicosia',
	DE: 'Europe/Berlin',
	ES: 'Europe/Madrid',
	MY: 'Asia/Kuala_Lumpur',
	NZ: 'Pacific/Auckland',
	PT: 'Europe/Lisbon',
	UA: 'Europe/Kyiv',
	UZ: 'Asia/Tashkent',
};

/** The time zone of a region. Null if a team of this region may be in one of several zones. */
export function timeZoneOfRegion(region: string): string | null {
	const [zone = null, ...others] = timeZonesOfRegion(region);
	return others.length === 0 ? zone : (Object.hasOwn(USUAL, region) && USUAL[region]) || null;
}
