import { type Finding, failure, warning } from '../finding.ts';

/**
 * Asks AWS one question. `remedies` has the error codes with which AWS answers no, and says for each of them what the operator
 * should do. After such an error, the check has failed. After any other error, the answer is unknown, so the result is only a
 * warning. `permission` names the permissions that the credentials need for the question.
 */
export async function askAws(
	check: string,
	permission: string,
	run: () => Promise<Finding>,
	remedies: Readonly<Record<string, string>> = {},
): Promise<Finding> {
	try {
		return await run();
	} catch (error) {
		const code = error instanceof Error ? error.name : 'no answer';
		const remedy = remedies[code];
		if (remedy !== undefined) return failure(check, remedy);
		if (/AccessDenied|NotAuthorized|Unauthorized/.test(code)) {
			return warning(check, `not asked: your credentials lack ${permission}. Check it by hand.`);
		}
		return warning(check, `not clear: AWS answered ${code}. Try again, or check it by hand.`);
	}
}
