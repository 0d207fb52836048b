/**
 * The command that starts the operators' program in a clone. Some texts of the widget and of mails contain it. The package
 * `@call-back/cdk` builds both with a command of its own.
 */
export const CLONE_OPS = 'npm run ops --';
