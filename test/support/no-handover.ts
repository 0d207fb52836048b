import type { NoticePlan } from '../../shared/use-cases/notices/notice-plan.ts';

/** Stands in for the notices of a desk's handover, in tests without a handover. */
export const noHandover = async (): Promise<NoticePlan> => ({ tell: false, status: 'canceled', code: 'not_wanted' });
