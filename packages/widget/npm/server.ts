// Prepended to the widget's code, so that a server can import it: defines what the class definition needs.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const CSSStyleSheet =
	globalThis.CSSStyleSheet ??
	class {
		replaceSync(): void {}
	};
