/** Lifetime of an upload URL, in seconds: one hour, the longest session of a chained role. */
export const uploadUrlLifetimeSeconds = 3600;

/** Largest file for one PUT, in bytes: 5 GiB (S3, "Uploading objects"). */
export const maxUploadBytes = 5_368_709_120;

/** Largest body that the token endpoint reads, in bytes. */
export const maxTokenRequestBytes = 16 * 1024;

/** Time for which clients may cache a public document, in seconds. */
export const documentMaxAgeSeconds = 300;

/** Milliseconds after which an API request gets 500, well before the function's timeout of 10 s. */
export const respondWithinMilliseconds = 8_500;
