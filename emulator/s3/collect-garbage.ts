/** Bytes that stream by between two collections. */
const distance = 1024 * 1024;

/**
 * Counts bytes that stream by, and asks for a collection of young objects now and then. Chunks lie outside V8's heap,
 * where tens of megabytes of dead ones gather before it looks for them by itself. `npm start` lets the process ask
 * (`--expose-gc`); it takes well under a millisecond.
 */
export function createGarbageCollector(): (bytes: number) => void {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < distance) {
      return;
    }
    passed = 0;
    globalThis.gc?.({ type: 'minor' });
  };
}
