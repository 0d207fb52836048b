import type { Language } from '../workspaces/language.ts';

// The sentences that are spoken on the phone, in the workspace's language, and how long it takes to say them. A member's
// time to decide begins after the sentence.

export type Sentence = { readonly language: Language; readonly text: string };

type Sentences = {
	/** `{0}` is the visitor, and `{1}` is the page. */
	readonly press_one: string;
	/** Said instead of `press_one` in a test call. */
	readonly test: string;
	readonly unnamed: string;
	readonly website: string;
	readonly one_moment: string;
};

// cspell:disable
const SENTENCES: Readonly<Record<Language, Sentences>> = {
	en: {
		press_one: 'Press 1 to talk to {0}, who asks for a call on {1}.',
		test: 'This is a test call. Press 1. Then your phone rings again, as the visitor’s.',
		unnamed: 'a visitor',
		website: 'the website',
		one_moment: 'One moment, please.',
	},
	de: {
		press_one: 'Drücken Sie die 1, um mit {0} zu sprechen. Der Rückruf wurde auf {1} gewünscht.',
		test: 'Dies ist ein Testanruf. Drücken Sie die 1. Danach klingelt Ihr Telefon noch einmal, wie bei einem Besucher.',
		unnamed: 'jemandem von der Website',
		website: 'der Website',
		one_moment: 'Einen Moment, bitte.',
	},
	es: {
		press_one: 'Pulse 1 para hablar con {0}, que pide una llamada en {1}.',
		test: 'Esta es una llamada de prueba. Pulse 1. Después su teléfono suena otra vez, como el de una visita.',
		unnamed: 'una visita',
		website: 'el sitio web',
		one_moment: 'Un momento, por favor.',
	},
	fr: {
		press_one: 'Appuyez sur 1 pour parler à {0}. L’appel a été demandé sur {1}.',
		test: 'Ceci est un appel d’essai. Appuyez sur 1. Votre téléphone sonnera ensuite une seconde fois, comme celui d’un visiteur.',
		unnamed: 'une personne',
		website: 'le site',
		one_moment: 'Un instant, s’il vous plaît.',
	},
	ar: {
		press_one: 'اضغط 1 للتحدث إلى {0}، الذي طلب مكالمة من {1}.',
		test: 'هذه مكالمة تجريبية. اضغط 1. بعد ذلك يرن هاتفك مرة أخرى كأنه هاتف الزائر.',
		unnamed: 'زائر',
		website: 'الموقع',
		one_moment: 'لحظة من فضلك.',
	},
	it: {
		press_one: 'Prema 1 per parlare con {0}. La chiamata è stata richiesta attraverso {1}.',
		test: 'Questa è una chiamata di prova. Prema 1. Poi il telefono squilla di nuovo, come quello di un visitatore.',
		unnamed: 'un visitatore',
		website: 'il sito',
		one_moment: 'Un attimo, per favore.',
	},
	nl: {
		press_one: 'Druk op 1 om met {0} te spreken. Het gesprek is aangevraagd op {1}.',
		test: 'Dit is een testgesprek. Druk op 1. Daarna gaat uw telefoon nog een keer over, als die van een bezoeker.',
		unnamed: 'een bezoeker',
		website: 'de website',
		one_moment: 'Een ogenblik, alstublieft.',
	},
	pt: {
		press_one: 'Pressione 1 para falar com {0}, que pediu uma chamada em {1}.',
		test: 'Esta é uma chamada de teste. Pressione 1. Depois o seu telefone toca outra vez, como o de um visitante.',
		unnamed: 'um visitante',
		website: 'nosso site',
		one_moment: 'Um momento, por favor.',
	},
	pl: {
		press_one: 'Naciśnij 1, aby porozmawiać: {0} prosi o telefon na stronie {1}.',
		test: 'To jest połączenie testowe. Naciśnij 1. Potem telefon zadzwoni jeszcze raz, jak u klienta.',
		unnamed: 'klient',
		website: 'internetowej',
		one_moment: 'Proszę chwilę poczekać.',
	},
	tr: {
		press_one: '{0} ile görüşmek için 1 tuşuna basın. Arama {1} üzerinden istendi.',
		test: 'Bu bir deneme aramasıdır. 1 tuşuna basın. Ardından telefonunuz bir ziyaretçininki gibi yeniden çalar.',
		unnamed: 'Bir ziyaretçi',
		website: 'web sitesi',
		one_moment: 'Lütfen bir dakika bekleyin.',
	},
};
// cspell:enable

/**
 * A slow voice needs `LETTER_SECONDS` for a letter of its own alphabet or a space. For a digit, a sign or a foreign letter,
 * the voice needs `NAMED_SECONDS`, because it says the character's name.
 */
const LETTER_SECONDS = 0.1;
const NAMED_SECONDS = 0.4;
/** A name or a page that takes longer than this to say is cut. */
const PART_SECONDS = 5;

const LATIN = /[\p{Script=Latin}\s,’]/u;
const LETTERS: Readonly<Partial<Record<Language, RegExp>>> = { ar: /[\p{Script=Arabic}\s،]/u };

function secondsOf(character: string, language: Language): number {
	return (LETTERS[language] ?? LATIN).test(character) ? LETTER_SECONDS : NAMED_SECONDS;
}

/** The longest time that a voice needs for a sentence, in whole seconds. */
export function secondsToSay({ language, text }: Sentence): number {
	return Math.ceil([...text].reduce((sum, character) => sum + secondsOf(character, language), 0));
}

/** The beginning of a text, as far as a voice can say it in `PART_SECONDS`. */
function cutToTime(text: string, language: Language): string {
	let secondsLeft = PART_SECONDS;
	let textInTime = '';
	for (const character of text.replace(/\s+/g, ' ').trim()) {
		secondsLeft -= secondsOf(character, language);
		if (secondsLeft < 0) break;
		textInTime += character;
	}
	return textInTime.trimEnd();
}

/** The prompt that a team member hears before pressing 1: the visitor's name and page, or that this is a test call. */
export function acceptPrompt(call: {
	readonly language: Language;
	readonly visitor_name: string | null;
	readonly source_url: string;
	readonly is_test?: true;
}): Sentence {
	const { language, visitor_name } = call;
	const sentences = SENTENCES[language];
	if (call.is_test) return { language, text: sentences.test };
	const who = visitor_name === null ? sentences.unnamed : cutToTime(visitor_name, language);
	const page = pageOf(call.source_url);
	const where = page === null ? sentences.website : cutToTime(page, language);
	return { language, text: sentences.press_one.replace(/\{(\d)\}/g, (_, place) => (place === '0' ? who : where)) };
}

/** The sentence for a person who waits until the other side is connected. */
export function oneMoment(language: Language): Sentence {
	return { language, text: SENTENCES[language].one_moment };
}

/**
 * The host and the path of a URL, which is what a person can understand when it is spoken. Null if the text is no http(s)
 * URL.
 */
function pageOf(sourceUrl: string): string | null {
	const [, page] = /^https?:\/\/([^?#]+)/.exec(sourceUrl) ?? [];
	return page?.replace(/\/$/, '') ?? null;
}
