/** Semantic versions, as far as releases use them: `1.2.3`, and `1.2.3-rc.1` for a candidate. */
type Version = {
	readonly major: number;
	readonly minor: number;
	readonly patch: number;
	/** Null if this is a release and not a candidate. */
	readonly candidate: number | null;
};
/** What the changelog has to announce. If there are several kinds of changes, this is the most important one. */
export type Change = 'breaking' | 'addition' | 'fix';

const FORM = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-rc\.([1-9]\d*))?$/;

function read(text: string): Version | null {
	const [matched, major, minor, patch, candidate] = FORM.exec(text) ?? [];
	if (matched === undefined) return null;
	return {
		major: Number(major),
		minor: Number(minor),
		patch: Number(patch),
		candidate: candidate === undefined ? null : Number(candidate),
	};
}

const written = ({ major, minor, patch, candidate }: Version): string =>
	`${major}.${minor}.${patch}${candidate === null ? '' : `-rc.${candidate}`}`;

/**
 * The versions that may follow `last`, lowest first. After a candidate, these are the release of that candidate and the next
 * candidate. After a release, they are the versions that its changes allow (semver.org, rules 6 to 8), each with its first
 * candidate.
 */
export function nextVersions(last: string, change: Change): readonly string[] {
	const from = read(last);
	if (from === null) throw new Error(`the list of releases has "${last}", which is no version`);
	const { major, minor, patch, candidate } = from;
	if (candidate !== null)
		return [
			{ ...from, candidate: null },
			{ ...from, candidate: candidate + 1 },
		].map(written);
	const steps = [
		...(change === 'fix' ? [{ major, minor, patch: patch + 1 }] : []),
		...(change === 'breaking' ? [] : [{ major, minor: minor + 1, patch: 0 }]),
		{ major: major + 1, minor: 0, patch: 0 },
	];
	return steps.flatMap((step) => [written({ ...step, candidate: null }), written({ ...step, candidate: 1 })]);
}
