/**
 * The command that starts the operators' program in a clone. Some texts of the widget and of mails contain this command. The
 * package `@call-back/cdk` builds the widget and the mails with its own command.
 */
export const CLONE_OPS = 'npm run ops --';
