/**
 * Whether this is Safari's engine, which every browser on an iPhone uses. What it does not support cannot be found out in
 * another way.
 */
export const isWebKit = (): boolean => navigator.vendor.startsWith('Apple');
