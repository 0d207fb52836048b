/** Visitors' pages that wait for the end of their call, each by its connection. */
export type Pages = {
	/**
	 * Sends the page what its status route would answer. Never rejects: a page that was not reached polls, so a failure is
	 * only logged.
	 */
	show(connection_id: string, answer: { readonly data: object }): Promise<void>;
};
