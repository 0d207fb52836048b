/// <reference path="../ambient.d.ts" />
import { CallBackWidget } from '../call-back-widget.ts';
import type { State, StateDetail } from '../request/model.ts';

/** The values of `event.detail.state` in the event `callback:state`. */
export type CallBackState = State;
/** The `event.detail` of the event `callback:state`. */
export type CallBackStateDetail = StateDetail;
export { CallBackWidget };

/**
 * Defines `<call-back-widget>`. If it is called again, or on a server without a DOM, it does nothing. The element needs the
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
