import { describe, expect, test } from 'vitest';
import { readingTime } from '../readingTime';

describe( 'readingTime', () => {
	const words = ( number: number ) => 'word '.repeat( number );

	test( 'is zero for an empty text', () => {
		expect( readingTime( '' ) ).toBe( 0 );
		expect( readingTime( '<p></p>' ) ).toBe( 0 );
	} );

	test( 'is rounded up to whole minutes', () => {
		expect( readingTime( words( 1 ) ) ).toBe( 1 );
		expect( readingTime( words( 189 ) ) ).toBe( 1 );
		expect( readingTime( words( 190 ) ) ).toBe( 2 );
	} );

	test( 'depends on the speed of the reader', () => {
		expect( readingTime( words( 300 ), 100 ) ).toBe( 3 );
		expect( readingTime( words( 300 ), 299 ) ).toBe( 2 );
	} );
} );
