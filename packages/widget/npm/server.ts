// The build puts this file before the widget's code, so that a server can import the widget. It defines what the definition of
// the class needs.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const CSSStyleSheet =
	globalThis.CSSStyleSheet ??
	class {
		replaceSync(): void {}
	};
