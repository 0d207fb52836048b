import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../../../contract/widget/widget.ts';
import { cutAt, visibleLine } from '../../../domain/kernel/visible-line.ts';
import { consentText } from '../../../domain/workspaces/consent-text.ts';
import { ACCENT_PATTERN, lookOf, MOST_GREETING_CHARACTERS } from '../../../domain/workspaces/look.ts';
import { privacyLink } from '../../../domain/workspaces/privacy-link.ts';
import { html } from '../../../presentation/markup.ts';
import { GUARDED } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';
import type { ShopDeps, View } from '../kit/view.ts';

/** The configuration of an open shop, with the saved look, or the one that its address names. */
function configOf({ at, language, query }: View): z.infer<typeof WidgetConfigResponse> {
	const { workspace } = at;
	const saved = lookOf(workspace);
	const { accent = saved.accent ?? '', greeting = saved.greeting ?? '' } = query;
	const call = consentText(workspace, language, 'call');
	const lead = consentText(workspace, language, 'lead');
	const data = {
		name: workspace.name,
		open: true,
		next_open_at: null,
		opens_in_ms: null,
		time_zone: workspace.time_zone,
		unavailable: null,
		consent_text: call.text,
		consent_texts: { language, call, lead },
		privacy_url: privacyLink(workspace, language),
		look: {
			accent: ACCENT_PATTERN.test(accent) ? accent : null,
			greeting: cutAt(visibleLine(greeting), MOST_GREETING_CHARACTERS) || null,
		},
		regions: workspace.allowed_regions,
		caller_number: workspace.caller_number,
		numbers: [],
	};
	return { data };
}

/**
 * The real widget, for a frame of the desk. Its API is a data URL, so it asks no service and calls no phone. The sandbox gives
 * its script an origin of its own: it reaches neither the desk nor its session.
 */
export function previewPage(view: View, { addresses: { widget_script } }: ShopDeps): HttpResponse {
	const { origin } = new URL(widget_script);
	const baseUrl = `data:application/json,${encodeURIComponent(JSON.stringify(configOf(view)))}#/v1`;
	const policy = [
		'sandbox allow-scripts',
		"default-src 'none'",
		`script-src ${origin}`,
		`connect-src ${origin} data:`,
		"frame-ancestors 'self'",
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
	const page = html`<!doctype html>
<html lang="${view.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${view.texts.look.preview}</title>
<script src="${widget_script}" async></script></head><body>
<call-back-widget inline inert theme="light" workspace-key="${view.at.workspace.workspace_key}"
base-url="${baseUrl}"></call-back-widget></body></html>
`;
	return {
		statusCode: 200,
		headers: {
			...GUARDED,
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'content-security-policy': policy,
			'x-frame-options': 'SAMEORIGIN',
		},
		body: page.markup,
	};
}
