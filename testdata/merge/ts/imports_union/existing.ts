import fs from 'fs';
import { a } from './m';
import type { T } from './t';

export const x = 1;
