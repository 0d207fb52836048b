import type en from './texts/en.json';

/** All texts of the widget, in one language. */
export type Texts = typeof en;
export type TextKey = Exclude<keyof Texts, 'steps'>;
