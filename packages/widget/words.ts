import type en from './texts/en.json';

export type Texts = typeof en;
export type TextKey = Exclude<keyof Texts, 'steps'>;
