import { CommandError, exitCodes } from '../terminal/errors.ts';

/** What the command has done so far. Failures and Ctrl-C tell it. */
export interface Journal {
  /** The request ids of the last response of the service, and of the response of S3 to the PUT after it. */
  ids: { readonly request_id?: string | undefined; readonly storage_request_id?: string | undefined };
  /** How far the last PUT is: empty, or ` after 1.0 MiB of 5.0 MiB were sent`. */
  moment: string;
  /** The uploads whose bytes were all sent, and that were not answered. They may be stored. */
  readonly unfinished: Set<string>;
}

/** The failure of a command that Ctrl-C stopped. */
export function stopped({ moment, unfinished }: Journal): CommandError {
  const nothing = unfinished.size > 0 ? '' : ' Nothing was stored.';
  const message = `Stopped${moment}.${nothing} Run the command again to upload the file.`;
  return new CommandError(message, exitCodes.interrupted);
}

/** Adds to a failure the uploads that may be stored all the same, and what the operator can look up. */
export function withJournal(error: unknown, journal: Journal): unknown {
  if (!(error instanceof CommandError)) {
    return error;
  }
  const uploads = [...journal.unfinished].join(' and ');
  const doubt =
    uploads &&
    ` An upload was sent completely and not answered, so it may be stored anyway: upload ${uploads}. An operator can check with upload show.`;
  return new CommandError(`${error.message}${doubt}${quotation(journal)}`, error.exitCode);
}

/** What to quote to the operator, as a sentence after another one. Empty if no response had a request id. */
export function quotation({ ids: { request_id, storage_request_id } }: Journal): string {
  const ofStorage = storage_request_id && `${storage_request_id} of the storage`;
  const ids = [request_id, ofStorage].filter(Boolean).join(' and ');
  return ids && ` If you ask the operator, quote request id ${ids}.`;
}
