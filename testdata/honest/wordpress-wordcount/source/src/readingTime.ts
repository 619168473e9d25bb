import { count } from './index';

/**
 * Average reading speed, in words per minute.
 */
const AVERAGE_SPEED = 189;

/**
 * Estimate how long it takes to read a text.
 *
 * @param text  The text being processed
 * @param speed Words per minute
 * @return Minutes, rounded up.
 */
export function readingTime(
	text: string,
	speed: number = AVERAGE_SPEED
): number {
	return Math.ceil( count( text, 'words' ) / speed );
}
