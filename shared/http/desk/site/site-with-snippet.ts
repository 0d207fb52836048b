import type { PageContent, ShopDeps, View } from '../kit/view.ts';
import { sitePage } from './site-page.ts';
import { snippetCard } from './snippet-card.ts';

/** *Website* with the snippet before the form of the site's addresses. */
export const siteWithSnippet = (view: View, deps: ShopDeps): Promise<PageContent> => sitePage(view, deps, snippetCard);
