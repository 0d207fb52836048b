export type SentMail = {
	readonly id: string;
	readonly received_at: string;
	readonly from: string;
	readonly to: string;
	/** Absent if an earlier version has stored the mail. */
	readonly reply_to?: readonly string[];
	/** Further headers, such as `Auto-Submitted: auto-generated`. */
	readonly headers?: readonly string[];
	readonly subject: string;
	readonly text: string;
	readonly html: string | null;
};

/** A response of SES's REST protocol. If the response is an error, a header contains the name of the error. */
export type MailResponse = {
	readonly status: number;
	readonly error_type: string | null;
	readonly body: Readonly<Record<string, unknown>>;
};

export type ListedMail = Omit<SentMail, 'html'> & { readonly has_html: boolean };
