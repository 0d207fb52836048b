/** Differences from what a release answered or sent that were meant, and why those who hold what it handed out can bear them. */
const intended: readonly { readonly differs: RegExp; readonly why: string }[] = [
	{ differs: /^body\.prompt_seconds is/, why: 'how long the prompt waits for a key is a choice of each answer' },
	{
		differs: /"(all|team)@shop\.example"/,
		why: 'an address entered at the desk gets messages once its mailbox has agreed; those of before count as agreed',
	},
];

export const isIntended = (difference: string): boolean => intended.some(({ differs }) => differs.test(difference));
