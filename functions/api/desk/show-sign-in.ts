import { showSignIn } from '../../../shared/contract/desk/desk.ts';
import { publicDeps } from '../../../shared/deps.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { signInPage } from '../../../shared/http/pages/desk/sign-in-pages.ts';

export const handler = handleAtDesk(showSignIn, {
	deps: () => publicDeps(showSignIn.operation),
	run: async ({ request }) => ({ response: signInPage(request) }),
});
