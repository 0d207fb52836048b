import { expect, it } from '@jest/globals';
import { meansTomorrow } from '../../../shared/domain/leads/means-tomorrow.ts';

// A note is a visitor's own words. The desk names the day only if the words leave no doubt.

it.each([
	'tomorrow morning',
	'Tomorrow, after 5',
	'morgen früh',
	'ab morgen',
	'demain matin',
	'mañana por la mañana',
	'domani',
	'amanhã de manhã',
	'jutro rano',
	'yarın sabah',
	'غدًا صباحًا',
])('%s is a time tomorrow', (note) => expect(meansTomorrow(note)).toBe(true));

it.each([
	'in the morning',
	'the day after tomorrow',
	'am Morgen',
	'heute Morgen',
	'übermorgen',
	'guten Morgen',
	'’s morgens',
	'vanmorgen',
	'après-demain',
	'por la mañana',
	'pasado mañana',
	'dopodomani',
	'depois de amanhã',
	'pojutrze',
	'',
])('%s is no time tomorrow', (note) => expect(meansTomorrow(note)).toBe(false));
