import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import type { PhoneNumbers } from './phone-numbers.ts';
import type { Queues } from './queues.ts';
import type { Store } from './store.ts';
import type { Telephony } from './telephony.ts';
import type { Macs, NumberOpener, NumberSealer } from './vault.ts';

/** The ports that many use cases share, by name. Each use case picks the ports that it uses. */
export type Ports = {
	readonly store: Store;
	readonly queues: Queues;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly log: Log;
	readonly macs: Macs;
	readonly sealer: NumberSealer;
	readonly opener: NumberOpener;
	readonly numbers: PhoneNumbers;
	readonly telephony: Telephony;
};
