import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';

/** Lets a server listen on a free port until the end of the test that asks for it, or of the file. @returns its address */
export async function listen(server: Server): Promise<string> {
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
