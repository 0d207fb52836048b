// cspell:ignore heute guten jeden domani amanhã jutro yarın

/**
 * The word for tomorrow in the desk's languages, as a word of its own. Some of these words also mean `morning`, or are a part
 * of `the day after tomorrow`. If the word before says that this is meant, it is not the word for tomorrow.
 */
const TOMORROW =
	/(?<![\p{L}-])(?<!(?:after|am|heute|guten|jeden|diesen|de|la|las|esta|cada|pasado)\s)(?:tomorrow|demain|domani|amanhã|jutro|yarın|morgen|mañana|غدًا|غدا)(?!\p{L})/iu;

/** Whether a visitor's note about the time of a call says `tomorrow`, in one of the desk's languages. */
export const meansTomorrow = (note: string): boolean => TOMORROW.test(note);
