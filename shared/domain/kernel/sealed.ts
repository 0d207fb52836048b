/** A number or a secret that is encrypted for storage (see the vault port). Only the vault can read the text. */
export type Sealed = string;
