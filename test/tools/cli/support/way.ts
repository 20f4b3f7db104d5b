import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';

/** The way to AWS, which can be closed, and on which an object can get stuck. */
export interface Way {
  /** The same deployment, behind this way. */
  readonly deployment: Deployment;
  /** What becomes of an object after so many bytes of its answer, headers included. */
  object: { readonly bytes: number; readonly end: 'stall' | 'cut' } | undefined;
  /** From now on connections are refused, and those that are open are broken. */
  readonly close: () => void;
}

export async function openWay({ awsConfig, ...rest }: Deployment): Promise<Way> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(awsConfig.endpoint ?? '').port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    }
    carry(near, far, () => way.object);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const way: Way = {
    deployment: { ...rest, awsConfig: { ...awsConfig, endpoint: `http://127.0.0.1:${port}` } },
    object: undefined,
    close: () => {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
  return way;
}

function carry(near: Socket, far: Socket, limitOf: () => Way['object']): void {
  let isObject = false;
  let carried = 0;
  near.once('data', (head) => {
    isObject = head.toString('latin1').startsWith('GET /bucket/');
  });
  near.pipe(far);
  far.on('end', () => near.end());
  far.on('data', (chunk: Buffer) => {
    const limit = isObject ? limitOf() : undefined;
    const part = limit === undefined ? chunk : chunk.subarray(0, Math.max(limit.bytes - carried, 0));
    carried += part.length;
    near.write(part);
    if (part.length === chunk.length) {
      return;
    }
    if (limit?.end === 'cut') {
      near.end();
    }
    far.pause();
  });
}
