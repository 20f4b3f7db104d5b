import { type PortName, type Ports, PortTaken, takePorts } from '../../emulator/ports.ts';
import { StartProblem } from '../../emulator/shared/errors.ts';
import type { LocalRunOptions } from './options.ts';

const flags: Readonly<Record<PortName, string>> = { api: '--port', aws: '--aws-port' };

/**
 * Takes the ports that the command line asks for, before anything that takes time.
 *
 * @throws {StartProblem} saying which port cannot be had, and what to do
 */
export async function takeWantedPorts(options: LocalRunOptions): Promise<Ports> {
  try {
    return await takePorts({ api: options.port, aws: options.awsPort });
  } catch (error) {
    throw error instanceof PortTaken ? explain(error) : error;
  }
}

function explain({ message, portName, port }: PortTaken): StartProblem {
  const flag = flags[portName];
  const other = port === 0 ? 3000 : port + 1;
  return new StartProblem(
    `${message} Stop that program, or choose another port with ${flag}, as in: npm start -- ${flag} ${other}`,
  );
}
