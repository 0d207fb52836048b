/**
 * White on a dark accent and black on a light one, by the accent's luminance (Y of CIE XYZ): at 0.18 both have the contrast
 * of 4.5 that WCAG requires. The numbers are the white of D65.
 */
const ON_ACCENT = (() => {
	const channel = (white: number) => `clamp(0,(.18 - y)*1e4,${white})`;
	return `color(from var(--callback-accent) xyz-d65 ${[0.9505, 1, 1.089].map(channel).join(' ')})`;
})();

/** Applies the accent from the attribute through CSSOM, which content security policies do not treat as an inline style. */
export function applyAccent({ style }: HTMLElement, accent: string | null): void {
	if (!accent) return;
	style.setProperty('--callback-accent', accent);
	style.setProperty('--callback-on-accent', ON_ACCENT);
}
