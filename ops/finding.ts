/**
 * The answer to one question about an account. `failed`: the deployment or the first call would certainly fail. `warning`:
 * both work, but with limits, or the answer is unclear. Unless the result is `ok`, `found` ends with what the operator should do.
 */
export type Finding = { readonly check: string; readonly result: 'ok' | 'warning' | 'failed'; readonly found: string };

export const ok = (check: string, found: string): Finding => ({ check, result: 'ok', found });
export const warning = (check: string, found: string): Finding => ({ check, result: 'warning', found });
export const failure = (check: string, found: string): Finding => ({ check, result: 'failed', found });
