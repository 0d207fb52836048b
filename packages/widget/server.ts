// Put in front of the widget's code, so that a server can import it: what the class needs while it is defined.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const CSSStyleSheet =
	globalThis.CSSStyleSheet ??
	class {
		replaceSync(): void {}
	};
