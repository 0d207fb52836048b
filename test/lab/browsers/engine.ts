/** How a person has set up the browser. */
export type Look = { readonly scheme: 'light' | 'dark'; readonly forcedColours?: boolean };

/** A window of one of the engines, driven like a person does: with a mouse, a keyboard and eyes. */
export type Tab = {
	goto(url: string): Promise<void>;
	/** Goes to the same address again, as the reload button does. */
	reload(): Promise<void>;
	/** The value of an expression in the page, as JSON can carry it; awaits a promise. */
	evaluate<T>(expression: string): Promise<T>;
	/** In CSS pixels of the viewport. */
	click(x: number, y: number): Promise<void>;
	type(text: string): Promise<void>;
	press(key: keyof typeof KEYS): Promise<void>;
	/** A PNG of the viewport. */
	picture(): Promise<Buffer>;
	/** A PDF of the page as it is printed; null: the engine's driver prints nothing. */
	print(): Promise<Buffer | null>;
};

export type Engine = {
	readonly version: string;
	/** One window at a time. */
	readonly tab: Tab;
	close(): Promise<void>;
};

/** Starts an engine; null if it is not installed. */
export type EngineStart = (look: Look) => Promise<Engine | null>;

/** Every engine's window has this size; a frame on the page is a phone. */
export const WINDOW = { width: 1000, height: 900 } as const;

/** The keys of the WebDriver standard. */
export const KEYS = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', Space: ' ' } as const;

/** A click as the WebDriver standard writes it; BiDi has the same words. */
export const clickActions = (x: number, y: number) => [
	{
		type: 'pointer',
		id: 'mouse',
		actions: [
			{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
			{ type: 'pointerDown', button: 0 },
			{ type: 'pointerUp', button: 0 },
		],
	},
];

/** Keys one after another, also characters. */
export const keyActions = (keys: string) => [
	{
		type: 'key',
		id: 'keyboard',
		actions: [...keys].flatMap((value) => [
			{ type: 'keyDown', value },
			{ type: 'keyUp', value },
		]),
	},
];

/** Expressions travel as text: JSON is the same in every protocol. */
export const asJson = (expression: string): string => `(async () => JSON.stringify((await (${expression})) ?? null))()`;
