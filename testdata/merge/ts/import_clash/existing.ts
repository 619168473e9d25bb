import { a } from './m';
