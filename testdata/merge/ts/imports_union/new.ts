import { a, b as c } from './m';
import type { T, U } from './t';
import * as path from 'path';
import './side';
