/** Safari's engine, which every browser on an iPhone has. It has no other sign of what it does not do. */
export const isWebKit = (): boolean => navigator.vendor.startsWith('Apple');
