/** How much of a page differs from shop to shop: its style is the same on each. */
export const bytesWithoutStyle = (html: string) => Buffer.byteLength(html.replace(/<style>.*?<\/style>/s, ''));
