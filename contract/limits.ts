/** Longest life of an upload URL, in seconds: one hour, the most that a chained role session lasts. */
export const maximumUploadUrlLifetimeSeconds = 3600;

/** Largest file that one PUT takes, in bytes: 5 GiB (S3, "Uploading objects"). */
export const maximumUploadBytes = 5_368_709_120;

/** Largest body that the token endpoint reads, in bytes. */
export const maximumTokenRequestBytes = 16 * 1024;

/** How long clients may keep a public document, in seconds. A key is published this long before it signs. */
export const documentMaxAgeSeconds = 300;
