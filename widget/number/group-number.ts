import type { NumberGuide } from '../config.ts';

/** `^(\d{2})(\d{4})(\d{4})$` of "2 4 4"; allows fewer digits while a number is being typed. */
function shapeOf(sizes: string, whole: boolean): RegExp {
	const groups = sizes.split(' ').map((size) => `(\\d{${whole ? size : `0,${size.split(',').pop()}`}})`);
	return new RegExp(`^${groups.join('')}$`);
}

/** The digits after the calling code in the country's groups, also for an incomplete number. */
export function groupNational(national: string, { groups }: Pick<NumberGuide, 'groups'>): string {
	const fitting = groups.filter(({ leading }) => new RegExp(`^(?:${leading})`).test(national));
	for (const whole of [true, false]) {
		for (const { sizes } of fitting) {
			const parts = shapeOf(sizes, whole).exec(national);
			if (parts) return parts.slice(1).filter(Boolean).join(' ');
		}
	}
	return national;
}
