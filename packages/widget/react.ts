import { createElement, type ReactElement, useEffect, useRef } from 'react';
import { type CallBackState, defineCallBackWidget } from './index.ts';

export type CallBackWidgetProps = {
	/** The workspace's public key. */
	readonly workspaceKey: string;
	/** The API, ending in /v1. */
	readonly baseUrl: string;
	/** Language of the texts, such as `de` (default: the page's language). */
	readonly lang?: string;
	readonly theme?: 'light' | 'dark' | 'auto';
	/** A colour. */
	readonly accent?: string;
	/** Address of an image. */
	readonly logo?: string;
	readonly greeting?: string;
	/** Address of an image, or a name. */
	readonly avatar?: string;
	/** `hide`: no launcher while the team is closed. */
	readonly whenClosed?: 'hide';
	/** Shows the form in place, without a launcher. */
	readonly inline?: boolean;
	readonly onState?: (state: CallBackState) => void;
};

/** Renders one `<call-back-widget>`. The element reads its attributes when it mounts. */
export function CallBack({
	workspaceKey,
	baseUrl,
	inline,
	whenClosed,
	onState,
	...looks
}: CallBackWidgetProps): ReactElement {
	const element = useRef<HTMLElement>(null);
	useEffect(defineCallBackWidget, []);
	useEffect(() => {
		const { current } = element;
		if (current === null || onState === undefined) return;
		const listener = ({ detail }: CustomEvent<{ readonly state: CallBackState }>): void => onState(detail.state);
		current.addEventListener('callback:state', listener);
		return () => current.removeEventListener('callback:state', listener);
	}, [onState]);
	const attributes = { 'workspace-key': workspaceKey, 'base-url': baseUrl, ...looks };
	const own = { ...(inline && { inline: '' }), ...(whenClosed && { 'when-closed': whenClosed }) };
	return createElement('call-back-widget', { ref: element, ...attributes, ...own });
}
