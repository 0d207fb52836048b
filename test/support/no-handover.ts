import type { NoticePlan } from '../../shared/use-cases/notices/notice-plan.ts';

/** Replaces the notices of a desk's handover in tests that have none. */
export const noHandover = async (): Promise<NoticePlan> => ({ tell: false, status: 'canceled', code: 'not_wanted' });
