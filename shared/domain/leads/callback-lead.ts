/** A request to be called back. It never places a call by itself. */
export const leadStatuses = ['pending', 'handled', 'dismissed'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

export type CallbackLead = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly name: string | null;
	/** When a call would suit the visitor, in their own words. It schedules nothing. */
	readonly note: string | null;
	readonly visitor_phone_masked: string;
	readonly source_url: string;
	/** The page's own name for what the lead is about; null: it gave none. */
	readonly reference: string | null;
	/** The keyed hash of the visitor's number; absent once the person is erased. */
	readonly number_hash?: string;
	readonly status: LeadStatus;
	readonly created_at: string;
	readonly updated_at: string;
};
