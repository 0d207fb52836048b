import { openDesk as route } from '../../../shared/contract/desk/desk.ts';
import { ids, macs, pageDeps, queues } from '../../../shared/deps.ts';
import { followLink } from '../../../shared/http/desk/sign-in/follow-link.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';

export const handler = handleForPeople(route, {
	deps: () => ({ ...pageDeps(route.operation), ids: ids(), macs: macs(), queues: queues() }),
	run: ({ request, form }, deps) => followLink(request, form, deps),
});
