// One day of one customer. Several examples use these values, so that the examples are consistent with each other.

export const workspace_id = '01KA7X2V0M5Q8R3T6W9Y1B4D7F';
export const callId = '01KA8Z4N6P2S5V8X1A3C6E9G0H';
export const leadId = '01KA8Z7Q9T1W4Y6B8D0F2H5J7K';
export const endpoint_id = '01KA7Y0R3V6X9A2C5E8G1J4M7P';
export const event_id = '01KA8Z6T0C4G8K2N6R0V4Y8B2E';
export const visitor_phone_masked = '+1********01';
export const source_url = 'https://shop.example/pricing?utm_source=newsletter';
export const created_at = '2026-11-09T12:00:00.000Z';

export const exampleFirstPage = { has_more: true, next_cursor: `${'b3BhcXVl'.repeat(9)}b3BhcXV8` };
export const lastPage = { has_more: false, next_cursor: null };
