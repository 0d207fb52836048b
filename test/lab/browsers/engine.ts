/** How the person has set up the browser. */
export type Look = { readonly scheme: 'light' | 'dark'; readonly forcedColours?: boolean };

/** A browser window that is used as a person would use it: with a mouse and a keyboard, and by looking. */
export type Tab = {
	goto(url: string): Promise<void>;
	/** Loads the same URL again, like the reload button. */
	reload(): Promise<void>;
	/**
	 * Evaluates an expression in the page and returns its value, which must be valid JSON. If the value is a promise, waits for
	 * its result.
	 */
	evaluate<T>(expression: string): Promise<T>;
	/** The position is in CSS pixels of the viewport. */
	click(x: number, y: number): Promise<void>;
	type(text: string): Promise<void>;
	press(key: keyof typeof KEYS): Promise<void>;
	/** A PNG of the viewport. */
	picture(): Promise<Buffer>;
	/** A PDF of the printed page. Null if the engine's driver cannot print. */
	print(): Promise<Buffer | null>;
};

export type Engine = {
	readonly version: string;
	/** The only window of the engine. */
	readonly tab: Tab;
	close(): Promise<void>;
};

/** Starts an engine. Null if the engine is not installed. */
export type EngineStart = (look: Look) => Promise<Engine | null>;

/** The size of every engine's window. A frame in the page stands for a phone. */
export const WINDOW = { width: 1000, height: 900 } as const;

/** Key codes of the WebDriver standard. */
export const KEYS = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', Space: ' ' } as const;

/** A click in the format of the WebDriver standard, which BiDi shares. */
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

/** Presses one key after another. Each character of `keys` is one key: its own, or one of `KEYS` such as Tab. */
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

/** Every protocol passes text unchanged, so values are passed as JSON text. */
export const asJson = (expression: string): string => `(async () => JSON.stringify((await (${expression})) ?? null))()`;
