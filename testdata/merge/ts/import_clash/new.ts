import { a } from './n';
