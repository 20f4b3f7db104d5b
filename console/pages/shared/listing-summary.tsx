import { counted } from '../../../cli/text.ts';
import { ListSummary } from '../../components/list.tsx';
import type { Listing } from '../../http/listing.ts';

/** Says what a list shows, and in which order. */
export function ListingSummary({
  listing,
  noun,
}: {
  readonly listing: Listing<object>;
  readonly noun: string;
}) {
  const { rows, order, total, read, sorted } = listing;
  if (order === 'none') {
    return (
      <ListSummary>
        {counted(rows.length, noun)}, in no order: {counted(read, 'item')} of the table were read for this
        page. {sorted !== undefined && <a href={sorted}>Sort all, newest first</a>} (reads the whole table)
      </ListSummary>
    );
  }
  return (
    <ListSummary>
      {total === undefined
        ? `${counted(rows.length, noun)}, newest first of all: ${counted(read, 'item')} were read.`
        : `${counted(total, noun)}, newest first.`}
    </ListSummary>
  );
}
