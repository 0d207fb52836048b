/** One file (`from`) imports another (`to`). */
export type Import = { readonly from: string; readonly to: string };
/**
 * Circular imports between folders. `own`: folders whose own files import from a subfolder that imports from them. `named`:
 * subfolders of one folder that import from each other.
 */
export type FolderCircles = { readonly own: readonly string[]; readonly named: readonly string[] };

/** The parts of a folder are its own files and each subfolder. `OWN` is the name of the part that holds the own files. */
const OWN = '.';

/** Finds circular imports between folders, at every depth. An import of a type counts like any other import. */
export function folderCircles(imports: readonly Import[]): FolderCircles {
	const parts = new Map<string, Map<string, Set<string>>>();
	for (const { folder, from, to } of imports.map(meeting)) {
		if (from === to) continue;
		const arrows = parts.get(folder) ?? new Map<string, Set<string>>();
		parts.set(folder, arrows.set(from, (arrows.get(from) ?? new Set()).add(to)));
	}
	const own: string[] = [];
	const named: string[] = [];
	for (const [folder, arrows] of [...parts].sort()) {
		const circle = circleOf([...arrows.keys()].filter((part) => part !== OWN).sort(), arrows);
		if (circle.length > 0) named.push(`${folder === '' ? '/' : folder}: ${circle.join(', ')}`);
		if (reachable(OWN, arrows, new Set()).has(OWN)) own.push(folder);
	}
	return { own, named };
}

/** The deepest folder that contains both files, and the part of this folder in which each file is. */
function meeting({ from, to }: Import) {
	const a = from.split('/');
	const b = to.split('/');
	const folders = Math.min(a.length, b.length) - 1;
	const differs = a.slice(0, folders).findIndex((name, depth) => name !== b[depth]);
	const depth = differs === -1 ? folders : differs;
	const part = (path: readonly string[]): string => (depth === path.length - 1 ? OWN : (path[depth] ?? OWN));
	return { folder: a.slice(0, depth).join('/'), from: part(a), to: part(b) };
}

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** The parts of a folder that import themselves through other parts. */
function circleOf(parts: readonly string[], arrows: Arrows): readonly string[] {
	return parts.filter((part) => reachable(part, arrows, new Set([OWN])).has(part));
}

function reachable(from: string, arrows: Arrows, without: ReadonlySet<string>): ReadonlySet<string> {
	const seen = new Set<string>();
	const open = [from];
	for (let part = open.pop(); part !== undefined; part = open.pop()) {
		for (const next of arrows.get(part) ?? []) {
			if (seen.has(next) || without.has(next)) continue;
			seen.add(next);
			open.push(next);
		}
	}
	return seen;
}
