/** The size of the part of a page that differs from shop to shop. The style is the same on every page. */
export const bytesWithoutStyle = (html: string) => Buffer.byteLength(html.replace(/<style>.*?<\/style>/s, ''));
