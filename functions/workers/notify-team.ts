import { teamChat, teamMail, workerDeps } from '../../shared/deps.ts';
import { NOTICE_SCHEDULE_SECONDS } from '../../shared/domain/leads/team-notice.ts';
import { consume } from '../../shared/messages/consume.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { overrides } from '../../shared/overrides.ts';
import { mailLink } from '../../shared/use-cases/desk/desk-links.ts';
import { notifyTeam } from '../../shared/use-cases/leads/notify-team.ts';

const deps = {
	...workerDeps('notify-team'),
	...teamMail(),
	...teamChat(),
	schedule_seconds: overrides.retry_schedule_seconds ?? NOTICE_SCHEDULE_SECONDS,
};

export const handler = consume('notify-team', messageSchemas['team-notices'], deps.log, (message) =>
	'address' in message ? mailLink(message, deps) : notifyTeam(message, deps),
);
