import { Id, Instant, Timestamp } from './common.ts';

export const commonComponents = {
	Id: { schema: Id, description: 'A ULID: 26 characters that sort by creation time.' },
	Timestamp: { schema: Timestamp, description: 'RFC 3339 in UTC, with milliseconds.' },
};

export const instantComponent = {
	Instant: { schema: Instant, description: 'An RFC 3339 date-time with an offset, or a date for midnight UTC.' },
};
