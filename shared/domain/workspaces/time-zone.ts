// cspell:ignore Asmera Atikokan Jujuy Chuuk
/** The names that the tz database has given to zones which the runtime still calls by an older one (CLDR keeps the first). */
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

/** The name that a zone has today, from that or an older one in any case; null: no zone of a place, such as `+02:00`. */
export function timeZoneName(text: string): string | null {
	if (!text.includes('/')) return null;
	try {
		const zone = new Intl.DateTimeFormat('en', { timeZone: text.trim() }).resolvedOptions().timeZone;
		return zone.includes('/') ? inToday(zone) : null;
	} catch {
		return null;
	}
}

/** The zones of a region (ISO 3166-1), by their names today. */
export const timeZonesOfRegion = (region: string): readonly string[] =>
	(new Intl.Locale(`und-${region}`).getTimeZones() ?? []).map(inToday).sort();

/** All zones, those of the region first. */
export function timeZones(region: string): readonly string[] {
	const all = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
	return [...new Set([...timeZonesOfRegion(region), ...all.map(inToday).sort()])];
}

/** Regions whose zones agree, or of which all but islands and a few people have one. */
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

/** The zone of a region in which it is clear; null: its teams can be in several. */
export function timeZoneOfRegion(region: string): string | null {
	const [zone = null, ...others] = timeZonesOfRegion(region);
	return others.length === 0 ? zone : (Object.hasOwn(USUAL, region) && USUAL[region]) || null;
}
