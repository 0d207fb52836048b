/** A number or secret that is sealed for storage (see the vault port). Opaque text. */
export type Sealed = string;
