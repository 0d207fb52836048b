import { readFacts } from './wire.ts';

/** What a customer pastes into a page, with this stack's own key and addresses. */
async function embed(): Promise<void> {
	const facts = await readFacts();
	if (facts === null) {
		setTimeout(() => void embed(), 500);
		return;
	}
	const script = document.createElement('script');
	script.src = '/widget/widget.js';
	script.async = true;
	script.dataset['workspaceKey'] = facts.workspace_key;
	script.dataset['baseUrl'] = facts.base_url;
	document.head.append(script);
}

void embed();
