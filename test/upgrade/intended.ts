type Intended = { readonly steps: readonly string[] | 'all'; readonly differs: RegExp };

/**
 * Intended differences from a release's answers or messages, in which steps, and why they do no harm to those who hold what
 * the release handed out.
 */
const intended: readonly Intended[] = [
	// The widget only asks whether a number fits its plan, by a pattern that may say more; the API decides.
	{ steps: 'all', differs: /^body\.data\.numbers\[\d+\]\.pattern is / },
	// 28086779 failed for a shop whose pause has no end.
	{
		steps: ['the widget of https://widest.example reads its settings'],
		differs: /^(status is 200, not 500|body\.\w+ is missing, not .*)$/,
	},
	// A session begins with the moment in the address of its first page, which tells a browser that keeps no cookie.
	{
		steps: ['an invitation begins a session', 'a link to sign in begins a session'],
		differs: /^headers\.location is "\.\.\/pages\/today\?began=\d+", not "\.\.\/pages\/today"$/,
	},
	// How long the prompt waits for a key is a choice of each answer.
	{ steps: 'all', differs: /^body\.prompt_seconds is [\d.]+, not [\d.]+$/ },
	// No page offers to put a removed member back any more (decision 87).
	{
		steps: 'all',
		differs:
			/^headers\.location is "team\?saved=member_removed", not "team\?saved=member_removed&member_id=m1&before=m2"$/,
	},
	// An address that is entered at the desk gets one mail that asks, and messages once its mailbox has agreed (decision 60).
	{
		steps: ['an open form is sent: notices'],
		differs: /^\{"effect":"mail","to":"all@shop\.example"\} is not of the release$/,
	},
	// Until then, messages go where they went.
	{
		steps: ['ten minutes pass'],
		differs:
			/^(\{"effect":"mail","to":"all@shop\.example"\} is missing|\{"effect":"mail","to":"team@shop\.example"\} is not of the release|what left the service\.to is "team@shop\.example", not "all@shop\.example")$/,
	},
	{
		steps: ['an operator shows a workspace (at the end)'],
		differs: /^body\.team_email is "team@shop\.example", not "all@shop\.example"$/,
	},
	// The address says what was done, for words beside the button; the look and the consent have pages of their own. The release
	// shows "Saved." for each of them.
	{
		steps: 'all',
		differs: /^headers\.location is "\w+\?(\S+&)?saved=\w+(#said)?", not "\w+\?(\S+&)?saved(&consent=\w\w#consent)?"$/,
	},
	// A post of missed calls has its times on the clock of the shop's region, and the way to the desk.
	{
		steps: ['ten minutes pass'],
		differs:
			/^(\{"effect":"post",.*Your team did not answer\..* is (missing|not of the release)|what left the service\.body is .*Your team did not answer\.)/s,
	},
];

export const isIntended = (step: string, difference: string): boolean =>
	intended.some(({ steps, differs }) => (steps === 'all' || steps.includes(step)) && differs.test(difference));
