/** The fields of a form, as a browser sends them. */
export type Fields = Readonly<Record<string, string>>;
