import { expect, it } from '@jest/globals';
import { ipv6Groups } from '../../../shared/domain/webhooks/ssrf-guard.ts';

it.each([
	['::1', ['0', '0', '0', '0', '0', '0', '0', '1']],
	['1::', ['1', '0', '0', '0', '0', '0', '0', '0']],
	['2001:DB8::00ff:1', ['2001', 'db8', '0', '0', '0', '0', 'ff', '1']],
	['::ffff:192.0.2.1', ['0', '0', '0', '0', '0', 'ffff', 'c000', '201']],
	['192.0.2.1', null],
	['1::2::3', null],
	['', null],
])('the IPv6 address %p has the groups %p', (address, groups) => {
	expect(ipv6Groups(address)).toEqual(groups);
});
