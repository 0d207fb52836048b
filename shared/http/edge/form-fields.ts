/** The fields of a form as a browser sends it. */
export type Fields = Readonly<Record<string, string>>;
