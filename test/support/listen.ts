import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';

/**
 * Starts a server on a free port until the end of the calling test, or of the file.
 *
 * @returns address of the server
 */
export async function listen(server: Server): Promise<string> {
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
