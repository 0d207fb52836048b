import { type Finding, failure, warning } from '../finding.ts';

/**
 * Asks AWS one question. `remedies`: what to do, by the codes of AWS that answer it with no; the check then fails. Any other
 * error leaves it open, so it only warns. `permission`: what the credentials need.
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
