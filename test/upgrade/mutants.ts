/** A rule, broken in one place: the text `from`, which occurs once in the file, becomes `to`. */
export type Mutant = { readonly name: string; readonly file: string; readonly from: string; readonly to: string };
export const mutants: readonly Mutant[] = [];
