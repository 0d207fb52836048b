/**
 * Sets the accent colour through CSSOM, which a content security policy does not treat as an inline style. widget.css
 * derives colours with enough contrast from it.
 */
export function applyAccent(style: CSSStyleDeclaration, accent: string | null | undefined): void {
	if (!accent) return;
	style.setProperty('--callback-accent', `var(--plain,${accent})`);
	style.setProperty('--callback-on-accent', 'var(--on)');
	style.setProperty('--ink', 'var(--tint)');
}
