/** Bytes that stream through between two collections. */
const distanceBytes = 8 * 1024 * 1024;

/**
 * Counts the bytes that stream through, and asks V8 for a collection of young objects now and then. Chunks lie outside
 * V8's heap: by itself V8 lets tens of megabytes of unused chunks gather. Asking needs Node's flag `--expose-gc`. Without
 * it nothing happens. A collection takes well under a millisecond.
 */
export function createGarbageCollector(): (bytes: number) => void {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < distanceBytes) {
      return;
    }
    passed = 0;
    globalThis.gc?.({ type: 'minor' });
  };
}
