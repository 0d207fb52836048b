import { languageFiles } from './language-files.ts';
import type en from './texts/desk/en.json';

/** The texts of the desk. `{0}` is a placeholder. */
export type DeskTexts = typeof en;

export const deskTextsIn = languageFiles<DeskTexts>('desk');
