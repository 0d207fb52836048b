import { deskSite } from './desk-site.ts';
import { formPages } from './form-pages.ts';
import type { ShopDeps } from './pages/frame.ts';

/** What answers the forms of the shop: without its files, which the function that changes the desk need not carry. */
export const shopForms = deskSite<keyof typeof formPages, ShopDeps>(formPages);
