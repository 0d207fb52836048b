export const leadStatuses = ['pending', 'handled', 'dismissed'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** A request to be called back. A lead never places a call by itself. */
export type CallbackLead = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly name: string | null;
	/** What the visitor wrote about a suitable time for the call. The note schedules nothing. */
	readonly note: string | null;
	readonly visitor_phone_masked: string;
	readonly source_url: string;
	/** What the lead is about, in words of the page that sent it. Null if the page gave no reference. */
	readonly reference: string | null;
	/** The keyed hash of the visitor's number. Absent once the person's data was erased. */
	readonly number_hash?: string;
	readonly status: LeadStatus;
	readonly created_at: string;
	readonly updated_at: string;
};
