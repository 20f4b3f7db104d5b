import type { IncomingHttpHeaders } from 'node:http';
import { formatBytes } from '../operator/text.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';

/** What the command has done so far. An error and Ctrl-C tell it. */
export interface Journal {
  /** The request id of the last answer of the service. The operator finds the request by it. */
  requestId: string | undefined;
  /** The request id of the answer of S3 to the PUT after it. */
  storageRequestId: string | undefined;
  /** The PUT that is under way. */
  put: PutProgress | undefined;
  /** The uploads whose bytes were all sent, and that were not answered. They may be stored. */
  readonly unanswered: string[];
}

interface PutProgress {
  /** The upload id, or the path of the upload URL. */
  readonly upload: string;
  /** Bytes. */
  readonly sent: number;
  /** Bytes. */
  readonly size: number;
}

export function createJournal(): Journal {
  return { requestId: undefined, storageRequestId: undefined, put: undefined, unanswered: [] };
}

/** The request id in an answer. Another side wrote the text: anything that does not look like an id is left out. */
export function requestIdIn(
  headers: IncomingHttpHeaders,
  name: 'apigw-requestid' | 'x-amz-request-id',
): string | undefined {
  const id = String(headers[name] ?? '');
  return /^[\w=+/.-]{1,64}$/.test(id) ? id : undefined;
}

/** The failure of a command that was stopped by Ctrl-C: how far it was, and what to do. Exit code 130. */
export function stopped(journal: Journal): CommandError {
  const { put, unanswered } = journal;
  const moment = put === undefined ? 'while nothing was being sent to the storage' : momentOf(put);
  if (put !== undefined && put.sent === put.size) {
    unanswered.push(put.upload);
  }
  const nothing = unanswered.length > 0 ? '' : ' Nothing was stored.';
  return new CommandError(
    `Stopped ${moment}.${nothing} Run the command again to upload the file.`,
    exitCodes.interrupted,
  );
}

function momentOf({ sent, size }: PutProgress): string {
  return sent === size
    ? 'after the last byte was sent and before the storage answered'
    : `after ${formatBytes(sent)} of ${formatBytes(size)} were sent`;
}

/** Adds to a failure the uploads that may be stored all the same, and what the operator can look up. */
export function withJournal(error: unknown, journal: Journal): unknown {
  if (!(error instanceof CommandError)) {
    return error;
  }
  const uploads = journal.unanswered.join(' and ');
  const doubt =
    uploads &&
    ` An upload was sent completely and not answered, so it may be stored anyway: upload ${uploads}. An operator can check with upload show.`;
  return new CommandError(`${error.message}${doubt}${quotation(journal)}`, error.exitCode);
}

/** What to quote to the operator, as a sentence after another one. Empty if the service gave no answer. */
export function quotation({ requestId, storageRequestId }: Journal): string {
  const ofStorage = storageRequestId && ` (the storage answered with its request id ${storageRequestId})`;
  return requestId === undefined
    ? ''
    : ` If you ask the operator, quote request id ${requestId}${ofStorage ?? ''}.`;
}
