import type { RecordName, Records } from '../../shared/ports/registry.ts';
import type { Guard, Put } from '../../shared/ports/store.ts';

// Short forms of writes to the store.

export const absent: Guard = { if: 'absent' };
export const always: Guard = { if: 'always' };
export const version = (n: number): Guard => ({ if: 'version', version: n });
export const put = <N extends RecordName>(record: N, item: Records[N], guard: Guard = absent): Put =>
	({ op: 'put', record, item, guard }) as Put;
