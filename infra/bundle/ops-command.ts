/**
 * What starts the operators' program of a clone. Texts of the widget and of mails name its commands; the package
 * `@call-back/cdk` builds both with the command of its own.
 */
export const CLONE_OPS = 'npm run ops --';
