type Intended = { readonly steps: readonly string[] | 'all'; readonly differs: RegExp };

/**
 * Intended differences from a release's responses or messages, by step. Each says why it does no harm to those who hold what the
 * release handed out.
 */
const intended: readonly Intended[] = [
	// The widget uses the pattern only to ask whether a number is plausible, so the pattern may change. The API decides.
	{ steps: 'all', differs: /^body\.data\.numbers\[\d+\]\.pattern is / },
	// Release 28086779 failed for a shop whose pause has no end.
	{
		steps: ['the widget of https://widest.example reads its settings'],
		differs: /^(status is 200, not 500|body\.\w+ is missing, not .*)$/,
	},
	// The first page of a session has the current time in its URL, so that it can tell when a browser keeps no cookie.
	{
		steps: ['an invitation begins a session', 'a link to sign in begins a session'],
		differs: /^headers\.location is "\.\.\/pages\/today\?began=\d+", not "\.\.\/pages\/today"$/,
	},
	// Each response may choose how long the prompt waits for a key.
	{ steps: 'all', differs: /^body\.prompt_seconds is [\d.]+, not [\d.]+$/ },
	// Pages no longer offer to put a removed member back (decision 87).
	{
		steps: 'all',
		differs:
			/^headers\.location is "team\?saved=member_removed", not "team\?saved=member_removed&member_id=m1&before=m2"$/,
	},
	// An address that someone enters at the desk first gets one mail that asks for its agreement. It gets messages only after it
	// has agreed (decision 60).
	{
		steps: ['an open form is sent: notices'],
		differs: /^\{"effect":"mail","to":"all@shop\.example"\} is not of the release$/,
	},
	// Until the new address agrees, messages go to the previous address.
	{
		steps: ['ten minutes pass'],
		differs:
			/^(\{"effect":"mail","to":"all@shop\.example"\} is missing|\{"effect":"mail","to":"team@shop\.example"\} is not of the release|what left the service\.to is "team@shop\.example", not "all@shop\.example")$/,
	},
	{
		steps: ['an operator shows a workspace (at the end)'],
		differs: /^body\.team_email is "team@shop\.example", not "all@shop\.example"$/,
	},
	// The page's URL says what was done, so that the page can show it next to the button. The settings of the look and the consent
	// have separate pages now. The release showed "Saved." in each case.
	{
		steps: 'all',
		differs: /^headers\.location is "\w+\?(\S+&)?saved=\w+(#said)?", not "\w+\?(\S+&)?saved(&consent=\w\w#consent)?"$/,
	},
	// A message about missed calls now has times in the time zone of the shop's region, and the link to the desk.
	{
		steps: ['ten minutes pass'],
		differs:
			/^(\{"effect":"post",.*Your team did not answer\..* is (missing|not of the release)|what left the service\.body is .*Your team did not answer\.)/s,
	},
];

export const isIntended = (step: string, difference: string): boolean =>
	intended.some(({ steps, differs }) => (steps === 'all' || steps.includes(step)) && differs.test(difference));
