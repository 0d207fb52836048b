import { saveSection } from '../define-action.ts';
import { hoursSection } from './hours-section.ts';

export const saveHours = saveSection(hoursSection);
