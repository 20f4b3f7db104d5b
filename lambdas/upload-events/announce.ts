import type { Timestamp } from '../../storage/attributes.ts';
import type { Completion, Upload } from '../../storage/upload.ts';

/** How an upload ended. */
export type Announcement =
  | {
      readonly kind: 'completed';
      readonly upload: Upload;
      readonly content: Completion;
      /** Whether the file points at this content now. If not, it points at later content. */
      readonly isNewestContent: boolean;
    }
  | { readonly kind: 'cancelled' | 'expired'; readonly upload: Upload; readonly at: Timestamp };

/**
 * Sends the event of an upload that ended. Call it before the write that settles the upload: a crash between the two then
 * leads to a second event, and never to none.
 */
export type Announce = (announcement: Announcement) => Promise<void>;
