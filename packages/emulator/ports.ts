import { type GatewayServer, openGateway } from './api-gateway/server.ts';
import { type AwsServer, openAwsServer } from './endpoint/aws-server.ts';
import { codeOf } from './shared/errors.ts';

/** The servers of an emulator. They listen on their ports, and respond with 503 until the emulator serves. */
export interface Ports {
  readonly gateway: GatewayServer;
  readonly aws: AwsServer;
  readonly close: () => Promise<void>;
}

/** Purpose of a port: the HTTP API or the AWS endpoints. */
export type PortName = 'api' | 'aws';

/** A port is not available: another program uses it, or the system does not allow it. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  readonly portName: PortName;
  readonly port: number;

  constructor(portName: PortName, port: number) {
    super(`Port ${port} on 127.0.0.1 is taken by another program, or not allowed.`);
    this.portName = portName;
    this.port = port;
  }
}

/**
 * Opens both ports on 127.0.0.1. This comes first: the app needs the address of the API when it is
 * synthesized, and the functions need the address of the AWS endpoints when they start.
 *
 * @param wanted port numbers; 0 lets the system choose
 * @param allowedHosts accepted names in the Host header, besides the loopback names
 * @throws {PortTaken}
 */
export async function takePorts(
  wanted: Readonly<Record<PortName, number>>,
  allowedHosts: readonly string[] = [],
): Promise<Ports> {
  const gateway = await take('api', wanted.api, (port) => openGateway(port, allowedHosts));
  const aws = await take('aws', wanted.aws, (port) => openAwsServer(port, { allowedHosts })).catch(
    async (error) => {
      await gateway.close();
      throw error;
    },
  );
  return {
    gateway,
    aws,
    close: async () => {
      await Promise.all([gateway.close(), aws.close()]);
    },
  };
}

async function take<Server>(
  name: PortName,
  port: number,
  open: (port: number) => Promise<Server>,
): Promise<Server> {
  try {
    return await open(port);
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(codeOf(error) ?? '')) {
      throw new PortTaken(name, port);
    }
    throw error;
  }
}
