/** Exit codes of the upload command besides 0 (done), 1 (failed) and 2 (usage). */
export const uploadExitCodes = {
  /** The client id, secret or scope was not accepted. */
  authentication: 3,
  /** No such file, or it belongs to another organisation. */
  notFound: 4,
  /** The file does not have syncing enabled, or the upload URL was used or cancelled by somebody else. */
  conflict: 5,
  /** The file is larger than one PUT takes. */
  tooLarge: 6,
} as const;
