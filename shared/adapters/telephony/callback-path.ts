/** Where a provider reports on a leg (`status`) and asks what it should do next (`instructions`): the contract's routes. */
export function callbackPath(call_id: string, leg_id: string, route: 'status' | 'instructions'): string {
	return `/telephony/${call_id}/${leg_id}/${route}`;
}

/** Whether a request to this path asks for instructions. */
export const asksForInstructions = (path: string): boolean => path.endsWith('/instructions');
