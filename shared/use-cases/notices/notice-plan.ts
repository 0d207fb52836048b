import type { Write } from '../../ports/store.ts';
import type {
	EndpointContent,
	HandoverContent,
	LeadContent,
	MissedCallsContent,
	SecretContent,
	TestContent,
} from '../../ports/team-notifier.ts';

/** The message, with the writes to commit before it is sent; or the reason why there is none. */
export type NoticePlan<
	About = LeadContent | EndpointContent | MissedCallsContent | SecretContent | HandoverContent | TestContent,
> =
	| {
			readonly tell: true;
			readonly about: About;
			readonly writes: readonly Write[];
	  }
	| { readonly tell: false; readonly status: 'canceled' | 'sent'; readonly code: string };
