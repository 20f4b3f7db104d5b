import { spawn } from 'node:child_process';

/**
 * Opens an address in the reader's browser. It may fail, as on a machine without one: the address was printed.
 *
 * @param platform `process.platform`
 */
export function openBrowser(address: string, platform: NodeJS.Platform = process.platform): void {
  const [program, ...parameters] = browserCommand(address, platform);
  if (program === undefined) {
    return;
  }
  const child = spawn(program, parameters, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** `rundll32` and not `start`: that is a command of a shell, which would read the address as well. */
export function browserCommand(address: string, platform: NodeJS.Platform): readonly string[] {
  switch (platform) {
    case 'darwin':
      return ['open', address];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', address];
    default:
      return ['xdg-open', address];
  }
}
