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
  const { entries, next, isFirst, isCutShort, read } = listing;
  const found = counted(entries.length, noun);
  if (isCutShort) {
    return (
      <ListSummary>
        {found} found so far, newest first: {isFirst ? 'the newest' : 'the next'} {counted(read, noun)} were
        searched. Next searches older ones.
      </ListSummary>
    );
  }
  return (
    <ListSummary>
      {found}, newest first{isFirst ? '' : ', from an older page'}.
      {next !== undefined && ' There are older ones.'}
    </ListSummary>
  );
}
