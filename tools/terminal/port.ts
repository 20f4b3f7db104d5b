import { InvalidArgumentError } from 'commander';

/** Parses the port of an option. 0 means any free port. @throws {InvalidArgumentError} */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  }
  return port;
}
