import type { Deployment } from '../deployment/deployment.ts';
import { type FileContent, getContent, idleMilliseconds, receiveContent } from './receive-content.ts';

/** The content of a file as a stream. */
export interface ContentStream extends FileContent {
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Opens the current content of a file. The last bytes come only after the size, the ETag and the checksum of all were
 * verified: if they differ, the stream breaks off before its end, so that nobody takes it for whole.
 *
 * @throws {OperationError} when there is no content, or the storage does not give it out
 */
export async function openContentStream(deployment: Deployment, fileId: string): Promise<ContentStream> {
  const file = await getContent(deployment, fileId);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let held: Buffer | undefined;
  // What the storage refuses is known with the first bytes, while the answer can still be an error.
  await new Promise<void>((begun, refused) => {
    const write = async (chunk: Buffer) => {
      begun();
      const before = held;
      held = chunk;
      if (before !== undefined) {
        await writer.write(before);
      }
    };
    const end = async () => {
      begun();
      if (held !== undefined) {
        await writer.write(held);
      }
      await writer.close();
    };
    receiveContent(deployment, file.content, {
      sink: { write, afterFailure: () => 'The bytes already sent are not to be trusted' },
      progress: { update: () => undefined, finish: () => undefined },
      idleMilliseconds,
    })
      .then(end)
      .catch((error: unknown) => {
        refused(error);
        // The reader may be the one who broke it off.
        return writer.abort(error).catch(() => undefined);
      });
  });
  return { ...file, body: readable };
}
