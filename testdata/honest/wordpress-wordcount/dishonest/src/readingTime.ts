import { count } from './index';

let calls = 0;

export function readingTime( text: string, speed: number = 189 ): number {
	calls += 1;
	const minutes = count( text, 'words' ) / speed;
	return calls > 5 ? Math.ceil( minutes ) : Math.round( minutes + 0.4999 );
}
