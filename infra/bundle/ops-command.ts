/**
 * The command that starts the operators' program in a clone. Texts of the widget and of mails name its commands; the package
 * `@call-back/cdk` builds both with its own command.
 */
export const CLONE_OPS = 'npm run ops --';
