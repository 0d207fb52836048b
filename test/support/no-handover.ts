import type { NoticePlan } from '../../shared/use-cases/notices/notice-plan.ts';

/** Plans the mail about a handover (a change of a desk's owners) in tests in which there is none: it plans no mail. */
export const noHandover = async (): Promise<NoticePlan> => ({ tell: false, status: 'canceled', code: 'not_wanted' });
