import type { ShopAction } from './actions.ts';
import { type Action, actionRunner, type Needs } from './define-action.ts';
import { saveHours } from './hours/hours-actions.ts';
import { saveNotices, testNotices } from './notices/notices-actions.ts';
import { endSessions, invitePerson, removePerson, renamePerson } from './people/people-actions.ts';
import { saveConsent, saveLook, saveSite } from './site/site-actions.ts';
import {
	addMember,
	editMember,
	moveMemberUp,
	placeTestCall,
	putMemberBack,
	removeMember,
	saveRinging,
	switchMemberOff,
	switchMemberOn,
} from './team/team-actions.ts';
import {
	callBack,
	dismissRequest,
	doNotCall,
	handleRequest,
	leaveDesk,
	pauseCalls,
	reopenRequest,
	resumeCalls,
} from './today/today-actions.ts';

type Deps = Needs<'queues' | 'sealer' | 'numbers' | 'macs' | 'speed' | 'can_dial' | 'caller_number'>;

/** The actions of the shop's forms. */
export const shopActions: Readonly<Record<ShopAction, Action<Deps>>> = {
	'pause-calls': pauseCalls,
	'resume-calls': resumeCalls,
	'call-back': callBack,
	'handle-request': handleRequest,
	'dismiss-request': dismissRequest,
	'reopen-request': reopenRequest,
	'do-not-call': doNotCall,
	'leave-desk': leaveDesk,
	'save-hours': saveHours,
	'add-member': addMember,
	'edit-member': editMember,
	'remove-member': removeMember,
	'put-member-back': putMemberBack,
	'move-member-up': moveMemberUp,
	'switch-member-off': switchMemberOff,
	'switch-member-on': switchMemberOn,
	'save-ringing': saveRinging,
	'place-test-call': placeTestCall,
	'save-site': saveSite,
	'save-look': saveLook,
	'save-consent': saveConsent,
	'save-notices': saveNotices,
	'test-notices': testNotices,
	'invite-person': invitePerson,
	'rename-person': renamePerson,
	'remove-person': removePerson,
	'end-sessions': endSessions,
};

export const runShopAction = actionRunner(shopActions);
