'use client';

import { createElement, forwardRef, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { type CallBackState, type CallBackStateDetail, defineCallBackWidget } from './index.ts';

/**
 * The element that a `ref` holds. `open` shows the panel and moves the focus into it. `close` hides the panel and returns
 * the focus.
 */
export type CallBackElement = HTMLElement & {
	/**
	 * `workspace_key`: opens the panel of this workspace at once. Otherwise, if the page has several keys, the visitor chooses.
	 */
	open(about?: { readonly reference?: string; readonly workspace_key?: string }): void;
	close(): void;
};

/** The attributes of the element in JSX. `class` and `ref` work as on every element. */
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
	// biome-ignore lint/style/noNamespace: React declares its elements in a namespace
	namespace JSX {
		interface IntrinsicElements {
			'call-back-widget': ElementAttributes;
		}
	}
}

export type CallBackWidgetProps = {
	/** The public key of the workspace. If there are several, the visitor chooses a workspace. */
	readonly workspaceKey: string | readonly string[];
	/** The address of the API, ending in /v1. */
	readonly baseUrl: string;
	/** The language of the texts, such as `de`. By default, the language of the page. */
	readonly lang?: string;
	readonly theme?: 'light' | 'dark' | 'auto';
	/** A colour of CSS. */
	readonly accent?: string;
	/** The address of an image. */
	readonly logo?: string;
	readonly greeting?: string;
	/** The person who would call: the address of an image, or a name. The widget shows a name beside its initials. */
	readonly avatar?: string;
	/** What the call is about, in your own words, such as an order's number: 1 to 64 characters, no personal data. */
	readonly reference?: string;
	/** `hide`: shows no launcher while the team is closed. */
	readonly whenClosed?: 'hide';
	/** Shows the form in place, without a launcher. */
	readonly inline?: boolean;
	readonly className?: string;
	readonly onState?: (state: CallBackState, detail: CallBackStateDetail) => void;
};

/**
 * Renders one `<call-back-widget>`. With its `ref`, the page can open and close the panel. If a property changes, the
 * widget shows that at once, except during a call.
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
		// React 18 writes an attribute of a custom element under exactly the name that is given here. HTML calls this attribute
		// `class`.
		class: className,
		...looks,
	});
});
