import type { PhoneNumber, PhoneRefusal } from '../domain/kernel/phone-number.ts';

/** The world's numbering plans. */
export type PhoneNumbers = {
	/** Reads a number in international format. Refused unless its region's plan has it assigned or reserved for use. */
	parse(text: string): PhoneNumber | PhoneRefusal;
	/** Whether there is a plan for the region (ISO 3166-1 alpha-2). */
	hasRegion(region: string): boolean;
};
