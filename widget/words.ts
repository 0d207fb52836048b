import type en from './texts/en.json';

/** Everything the widget says, in one language. */
export type Texts = typeof en;
export type TextKey = Exclude<keyof Texts, 'steps'>;
