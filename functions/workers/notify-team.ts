import { teamChat, teamMailDeps, workerDeps } from '../../shared/deps.ts';
import { type AboutHandover, NOTICE_SCHEDULE_SECONDS } from '../../shared/domain/notices/team-notice.ts';
import { consume } from '../../shared/messages/consume.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { overrides } from '../../shared/overrides.ts';
import { mailLink } from '../../shared/use-cases/desk/desk-links.ts';
import { planHandover } from '../../shared/use-cases/desk/handover-mail.ts';
import { notifyTeam } from '../../shared/use-cases/notices/notify-team.ts';

const given = { ...workerDeps('notify-team'), ...teamMailDeps() };
const deps = {
	...given,
	...teamChat(),
	planHandover: (notice: AboutHandover) => planHandover(notice, given),
	schedule_seconds: overrides.retry_schedule_seconds ?? NOTICE_SCHEDULE_SECONDS,
};

export const handler = consume('notify-team', messageSchemas['team-notices'], deps.log, (message) =>
	'address' in message ? mailLink(message, deps) : notifyTeam(message, deps),
);
