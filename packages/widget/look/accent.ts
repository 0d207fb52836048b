/** The white of D65 in CIE XYZ. */
const WHITE = { x: 0.9505, y: 1, z: 1.089 };

/** The accent with each channel of CIE XYZ changed; `y` is its luminance. */
function mix(change: (channel: string, white: number) => string): string {
	const channels = Object.entries(WHITE).map(([channel, white]) => change(channel, white));
	return `color(from var(--callback-accent) xyz-d65 ${channels.join(' ')})`;
}

/** White on a dark accent, black on a light one: at a luminance of 0.18 both have WCAG's contrast of 4.5. */
const ON_ACCENT = mix((_, white) => `clamp(0,(.18 - y)*1e4,${white})`);
/** The accent on a surface: dark enough for white, or light enough for the dark greys that browsers use. */
const INK = `light-dark(${mix((channel) => `calc(${channel}*min(1,.17/y))`)},${mix(
	(channel, white) => `calc(${channel} + (${white} - ${channel})*max(0,(.25 - y)/(1 - y)))`,
)})`;

/** Applies an accent through CSSOM, which content security policies do not treat as an inline style. */
export function applyAccent(style: CSSStyleDeclaration, accent: string | null | undefined): void {
	if (!accent) return;
	style.setProperty('--callback-accent', accent);
	style.setProperty('--callback-on-accent', ON_ACCENT);
	style.setProperty('--ink', INK);
}
