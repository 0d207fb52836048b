/** An import, from file to file. */
export type Import = { readonly from: string; readonly to: string };
/** `own`: the folder's own files are below and above a folder in it. `named`: folders in it need each other. */
export type FolderCircles = { readonly own: readonly string[]; readonly named: readonly string[] };

/** The folder's own files, as one of its parts beside the folders in it. */
const OWN = '.';

/** The circles of folders, at every depth; an import of a type counts as any other. */
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

/** The deepest folder that has both files, and the part of it in which each of them is. */
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

/** The parts that need a part which needs them. */
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
