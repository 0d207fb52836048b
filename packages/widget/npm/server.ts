// The build puts this file before the widget's code, so that a server can import the widget. The widget's class needs these two
// names when it is defined.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const CSSStyleSheet =
	globalThis.CSSStyleSheet ??
	class {
		replaceSync(): void {}
	};
