/** A number or secret sealed for storage (see the vault port). Opaque text. */
export type Sealed = string;
