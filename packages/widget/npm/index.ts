/// <reference path="../ambient.d.ts" />
import { CallBackWidget } from '../call-back-widget.ts';
import type { State, StateDetail } from '../request/model.ts';

/** The value of `event.detail.state` of the event `callback:state`. */
export type CallBackState = State;
/** `event.detail` of that event. */
export type CallBackStateDetail = StateDetail;
export { CallBackWidget };

/**
 * Defines `<call-back-widget>`. Calling it again, or on a server without a DOM, does nothing. The element needs the
 * attributes `workspace-key` and `base-url`.
 */
export function defineCallBackWidget(): void {
	if (typeof customElements === 'undefined' || customElements.get('call-back-widget')) return;
	customElements.define('call-back-widget', CallBackWidget);
}

declare global {
	interface HTMLElementTagNameMap {
		'call-back-widget': CallBackWidget;
	}
	interface HTMLElementEventMap {
		'callback:state': CustomEvent<CallBackStateDetail>;
	}
}
