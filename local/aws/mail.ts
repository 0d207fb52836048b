/** A message as the mailbox of this machine got it. */
export type Mail = {
	readonly id: string;
	readonly received_at: string;
	readonly from: string;
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	readonly html: string | null;
};

/** A mail as the console lists it. */
export type ListedMail = Omit<Mail, 'html'> & { readonly has_html: boolean };
