import { CommandError, exitCodes } from '../terminal/errors.ts';

/** Progress of the command, for messages after a failure or Ctrl-C. */
export interface Journal {
  /** Request ids of the service's last response, and of the S3 response to the PUT after it. */
  ids: { readonly request_id?: string | undefined; readonly storage_request_id?: string | undefined };
  /** Progress of the last PUT: empty, or ` after 1.0 MiB of 5.0 MiB were sent`. */
  moment: string;
  /** Uploads that were sent completely, but without a response. They may be stored. */
  readonly unfinished: Set<string>;
}

/** Returns the failure of a command that Ctrl-C stopped. */
export function stopped({ moment, unfinished }: Journal): CommandError {
  const nothing = unfinished.size > 0 ? '' : ' Nothing was stored.';
  const message = `Stopped${moment}.${nothing} Run the command again to upload the file.`;
  return new CommandError(message, exitCodes.interrupted);
}

/** Adds to a failure the uploads that may be stored anyway, and the ids to quote to the operator. */
export function withJournal(error: unknown, journal: Journal): unknown {
  if (!(error instanceof CommandError)) {
    return error;
  }
  const uploads = [...journal.unfinished].join(' and ');
  const doubt =
    uploads &&
    ` An upload was sent completely and got no response, so it may be stored anyway: upload ${uploads}. An operator can check with upload show.`;
  return new CommandError(`${error.message}${doubt}${quotation(journal)}`, error.exitCode);
}

/**
 * Returns a sentence with the request ids to quote to the operator, for the end of a message. Empty if no
 * response contained a request id.
 */
export function quotation({ ids: { request_id, storage_request_id } }: Journal): string {
  const ofStorage = storage_request_id && `${storage_request_id} of the storage`;
  const ids = [request_id, ofStorage].filter(Boolean).join(' and ');
  return ids && ` If you ask the operator, quote request id ${ids}.`;
}
