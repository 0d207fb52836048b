'use client';

import { createElement, forwardRef, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { type CallBackState, type CallBackStateDetail, defineCallBackWidget } from './index.ts';

/** What a `ref` holds: `open` shows the panel and moves the focus into it, `close` returns the focus. */
export type CallBackElement = HTMLElement & {
	/** `workspace_key`: of several keys, the one that the visitor gets without choosing. */
	open(about?: { readonly reference?: string; readonly workspace_key?: string }): void;
	close(): void;
};

/** The element's attributes in JSX; `class` and `ref` work as on every element. */
type ElementAttributes = Readonly<
	Partial<Record<'lang' | 'theme' | 'accent' | 'logo' | 'greeting' | 'avatar' | 'reference', string>>
> & {
	readonly 'workspace-key': string;
	readonly 'base-url': string;
	readonly 'when-closed'?: 'hide' | undefined;
	readonly inline?: '' | undefined;
	readonly class?: string | undefined;
	readonly ref?: Ref<CallBackElement>;
};

declare module 'react' {
	// biome-ignore lint/style/noNamespace: React declares its elements in one
	namespace JSX {
		interface IntrinsicElements {
			'call-back-widget': ElementAttributes;
		}
	}
}

export type CallBackWidgetProps = {
	/** The workspace's public key; of several, the visitor chooses. */
	readonly workspaceKey: string | readonly string[];
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
	/** Your own name for what the call is about, such as an order's number: 1 to 64 characters, no personal data. */
	readonly reference?: string;
	/** `hide`: no launcher while the team is closed. */
	readonly whenClosed?: 'hide';
	/** Shows the form in place, without a launcher. */
	readonly inline?: boolean;
	readonly className?: string;
	readonly onState?: (state: CallBackState, detail: CallBackStateDetail) => void;
};

/**
 * Renders one `<call-back-widget>`, which its `ref` opens and closes. A changed property shows at once, except during a call.
 */
export const CallBack = forwardRef<CallBackElement | null, CallBackWidgetProps>(function CallBack(
	{ workspaceKey, baseUrl, inline, whenClosed, className, onState, ...looks },
	ref,
) {
	const element = useRef<CallBackElement>(null);
	useImperativeHandle<CallBackElement | null, CallBackElement | null>(ref, () => element.current, []);
	useEffect(defineCallBackWidget, []);
	useEffect(() => {
		const { current } = element;
		if (current === null || onState === undefined) return;
		const listener = ({ detail }: CustomEvent<CallBackStateDetail>): void => onState(detail.state, detail);
		current.addEventListener('callback:state', listener);
		return () => current.removeEventListener('callback:state', listener);
	}, [onState]);
	return createElement('call-back-widget', {
		ref: element,
		'workspace-key': [workspaceKey].flat().join(' '),
		'base-url': baseUrl,
		inline: inline ? '' : undefined,
		'when-closed': whenClosed,
		// React 18 writes the attribute of a custom element as it is named.
		class: className,
		...looks,
	});
});
