/** Applies an accent through CSSOM, which content security policies do not treat as an inline style; widget.css has its contrasts. */
export function applyAccent(style: CSSStyleDeclaration, accent: string | null | undefined): void {
	if (!accent) return;
	style.setProperty('--callback-accent', `var(--plain,${accent})`);
	style.setProperty('--callback-on-accent', 'var(--on)');
	style.setProperty('--ink', 'var(--tint)');
}
