import type { Write } from '../../ports/store.ts';
import type {
	EndpointContent,
	HandoverContent,
	LeadContent,
	MissedCallsContent,
	SecretContent,
	TestContent,
} from '../../ports/team-notifier.ts';

/** What to do about a notice: the message and the writes to commit before it is sent, or the reason not to send one. */
export type NoticePlan<
	About = LeadContent | EndpointContent | MissedCallsContent | SecretContent | HandoverContent | TestContent,
> =
	| {
			readonly tell: true;
			readonly about: About;
			readonly writes: readonly Write[];
	  }
	| { readonly tell: false; readonly status: 'canceled' | 'sent'; readonly code: string };
