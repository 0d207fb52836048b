import { type ListedName, type ListPart, statusLists } from '../../ports/registry.ts';

// Filters for the lists of the API and of the desk.

/**
 * The parts of a list that contain the records with these statuses. Undefined if no status is given, or if one of the statuses
 * has no part of its own.
 */
export function statusParts(record: ListedName, statuses: readonly string[] = []): readonly ListPart[] | undefined {
	const statusSet = new Set(statuses);
	const parts = (statusLists[record] ?? []).filter((status) => statusSet.has(status)).map((status) => ({ status }));
	return parts.length > 0 && parts.length === statusSet.size ? parts : undefined;
}

export const hasStatus = <S extends string>(
	{ status }: { readonly status: S },
	query: { readonly status?: readonly S[] | undefined },
): boolean => query.status === undefined || query.status.includes(status);

export const hasStatusAndReference = <S extends string>(
	item: { readonly status: S; readonly reference?: string | null },
	query: { readonly status?: readonly S[] | undefined; readonly reference?: string | undefined },
): boolean => hasStatus(item, query) && (query.reference === undefined || item.reference === query.reference);
