import { saveSection } from '../save-section.ts';
import { hoursSection } from './hours-section.ts';

export const saveHours = saveSection(hoursSection);
