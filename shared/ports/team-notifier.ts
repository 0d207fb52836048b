/** A message to the team about a new callback lead. It holds the masked number only. */
export type TeamMessage = { readonly to: string; readonly subject: string; readonly text: string };
export type TeamNotifier = { notify(message: TeamMessage): Promise<void> };
