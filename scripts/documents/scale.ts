import { scaleTables } from '../../bench/billed-time/tables.ts';
import { withBlock } from './blocks.ts';

/** docs/scale.md with the tables of the model: bench/billed-time/ has its inputs and its prices. */
export function scalePage(page: string): string {
  return Object.entries(scaleTables()).reduce((text, [name, table]) => withBlock(text, name, table), page);
}
