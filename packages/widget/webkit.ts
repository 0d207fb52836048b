/**
 * Whether this is Safari's engine, which every browser on an iPhone uses. There is no other way to find out what this engine does
 * not support.
 */
export const isWebKit = (): boolean => navigator.vendor.startsWith('Apple');
