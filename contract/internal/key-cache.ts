/** Longest time for which a function uses a key or a key set without loading it again, in seconds. */
export const keyCacheSeconds = 300;
