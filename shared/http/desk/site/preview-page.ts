import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import type { WidgetConfigResponse } from '../../../contract/widget/widget.ts';
import { cutAt, visibleLine } from '../../../domain/kernel/visible-line.ts';
import { consentText } from '../../../domain/workspaces/consent-text.ts';
import { ACCENT_PATTERN, lookOf, MOST_GREETING_CHARACTERS } from '../../../domain/workspaces/look.ts';
import { privacyLink } from '../../../domain/workspaces/privacy-link.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { textsIn } from '../../../presentation/team-texts.ts';
import { GUARDED } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';
import type { ShopDeps, View } from '../kit/view.ts';

/**
 * The configuration that the widget gets from an open shop. It has the saved look, or the look that the page's address names.
 */
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
 * The style of the preview, which looks like a page of a shop. Grey lines stand in place of text. The open form is at the
 * top, and the button is at the bottom. In a low window, they are on different sides, so that neither covers the other. The
 * widget takes its font from the page, so the page has a common font.
 */
const STYLE = `body{margin:0;font-family:system-ui,sans-serif}
hr{width:60%;height:14px;margin:0 24px 20px;border:0;border-radius:7px;background:#8882}
hr:first-child{width:35%;height:26px;margin-top:32px}
call-back-widget[inline]{position:fixed;inset:20px 20px auto auto;width:380px;max-width:calc(100% - 40px)}
call-back-widget[inline]{border-radius:20px;background:#fff;box-shadow:0 8px 32px #0004}
[dir=rtl] call-back-widget[inline]{inset:20px auto auto 20px}
@media (min-width:560px) and (max-height:600px){call-back-widget[inline]{inset:20px auto auto 20px}
[dir=rtl] call-back-widget[inline]{inset:20px 20px auto auto}}
div{position:fixed;inset:auto 0 0;height:96px;border-top:2px dashed #8884}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const LINES = Array.from({ length: 14 }, (): Markup => html`<hr>`);

/**
 * The real widget, for a frame on a page of the desk. Its API is a data URL, so it sends no request to the service and calls
 * no phone. Because of the sandbox, its script has an origin of its own. So the script can reach neither the desk nor its
 * session.
 */
export function previewPage(view: View, { addresses: { widget_script } }: ShopDeps): HttpResponse {
	const { origin } = new URL(widget_script);
	const baseUrl = `data:application/json,${encodeURIComponent(JSON.stringify(configOf(view)))}#/v1`;
	const policy = [
		'sandbox allow-scripts',
		"default-src 'none'",
		`script-src ${origin}`,
		`connect-src ${origin} data:`,
		`style-src 'sha256-${STYLE_HASH}'`,
		"frame-ancestors 'self'",
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
	const key = view.at.workspace.workspace_key;
	const page = html`<!doctype html>
<html lang="${view.language}" dir="${textsIn(view.language).dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${view.texts.look.preview}</title>
<style>${{ markup: STYLE }}</style><script src="${widget_script}" async></script></head><body>${LINES}
<call-back-widget inline inert theme="light" workspace-key="${key}" base-url="${baseUrl}"></call-back-widget>
<div></div>
<call-back-widget inert theme="light" workspace-key="${key}" base-url="${baseUrl}"></call-back-widget></body></html>
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
