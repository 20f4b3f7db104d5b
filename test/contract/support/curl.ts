import { spawn } from 'node:child_process';

/**
 * Runs curl and gives its standard output. Errors name its exit code alone, since its arguments hold secrets.
 *
 * @param skip ends the test where there is no curl
 */
export function curl(parameters: readonly string[], skip: (note: string) => void): Promise<string> {
  const child = spawn('curl', ['-sS', ...parameters], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const finished = new Promise<string | undefined>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        resolve(undefined);
      } else {
        reject(error);
      }
    });
    child.once('close', (code) => {
      if (code === 0) {
        resolve(output);
      } else {
        reject(new Error(`curl ended with ${code}`));
      }
    });
  });
  return finished.then((text) => {
    if (text === undefined) {
      skip('needs curl on this machine');
    }
    return text ?? '';
  });
}
