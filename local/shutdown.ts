/** Stops the parts of a stack that were started, in reverse order. This also works if only some of them were started. */
export type Shutdown = {
	add(stop: () => unknown): void;
	run(): Promise<void>;
};

export function shutdownList(): Shutdown {
	const steps: (() => unknown)[] = [];
	return {
		add: (stop) => void steps.unshift(stop),
		async run() {
			for (const stop of steps.splice(0)) await stop();
		},
	};
}
