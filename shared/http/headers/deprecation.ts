import type { Deprecation } from '../../contract/route.ts';

/**
 * Headers of every response of a deprecated operation: `Deprecation` (RFC 9745, a structured date in epoch seconds),
 * `Sunset` (RFC 8594, an HTTP date) and `Link` to the successor (RFC 5829). Empty for an operation that is not deprecated.
 */
export function deprecationHeaders(deprecated: Deprecation | undefined): Readonly<Record<string, string>> {
	if (deprecated === undefined) return {};
	const { since, sunset, successor } = deprecated;
	return {
		deprecation: `@${Date.parse(since) / 1000}`,
		sunset: new Date(sunset).toUTCString(),
		link: `<${successor}>; rel="successor-version"`,
	};
}
