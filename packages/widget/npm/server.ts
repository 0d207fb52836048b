// This is put before the code of the widget, so that a server can import it. It defines what the definition of the class
// needs.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const CSSStyleSheet =
	globalThis.CSSStyleSheet ??
	class {
		replaceSync(): void {}
	};
