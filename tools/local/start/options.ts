import { resolve } from 'node:path';
import { hostNamePattern } from 'cloud-assembly-emulator';
import { Command, InvalidArgumentError } from 'commander';
import { settings } from '../../../lib/settings.ts';
import { parsePort } from '../../terminal/port.ts';

/** Options of the local run. */
export interface LocalRunOptions {
  /** Port of the API. 0: any free port. */
  readonly port: number;
  readonly awsPort: number;
  /**
   * Port of the administration console. 0: any free port. Undefined: the default port, or any free port if it
   * is taken.
   */
  readonly consolePort?: number;
  readonly console: boolean;
  /** Absolute path of the state folder. */
  readonly state: string;
  readonly fresh?: true;
  readonly demo: boolean;
  /** Host names that are accepted in addition to the loopback names. */
  readonly allowHost: readonly string[];
  /** True if the API rejects requests above the rate limits of the settings. */
  readonly throttle: boolean;
  /** URL for events. Undefined: events are not sent. */
  readonly eventsTo?: string;
  /** Headers of each sent event, by name. */
  readonly eventsHeader: Readonly<Record<string, string>>;
  /** CDK context of the stack. */
  readonly context: Readonly<Record<string, string>>;
}

/** Creates the command line of the local run. */
export function createProgram(start: (options: LocalRunOptions) => Promise<void>): Command {
  return new Command('npm start --')
    .description('Run the synthesized stack on this machine, and demonstrate an upload.')
    .option('--port <number>', 'serve the API on this port of 127.0.0.1 (0: any free port)', parsePort, 3000)
    .option(
      '--aws-port <number>',
      'serve the AWS endpoints on this port of 127.0.0.1 (0: any free port)',
      parsePort,
      4566,
    )
    .option(
      '--console-port <number>',
      'serve the administration console on this port of 127.0.0.1 (default: 3100, or any free one if that is taken)',
      parsePort,
    )
    .option('--no-console', 'do not serve the administration console')
    .option('--state <folder>', 'keep everything that the run stores in this folder', '.local')
    .option('--fresh', 'empty the state folder first')
    .option('--no-demo', 'skip the demonstration')
    .option('--no-throttle', 'accept more requests per second than the settings allow, for load tests')
    .option(
      '--allow-host <name>',
      'also accept requests for this host name, as from a container (repeatable; default: loopback names only)',
      addHost,
    )
    .option(
      '--events-to <url>',
      'send each event of the stack to this URL, as EventBridge sends events to an API destination',
      parseEventsTo,
    )
    .option(
      '--events-header <name: value>',
      'send this header with each event, such as a key that the consumer checks (repeatable)',
      addHeader,
    )
    .option(
      '-c, --context <key=value>',
      'use this setting of the stack (repeatable; docs/deployment.md lists the settings)',
      addContext,
    )
    .allowExcessArguments(false)
    .action(async (flags: Partial<LocalRunOptions>, program: Command) => {
      const { allowHost = [], eventsHeader = {}, context = {}, ...others } = flags as LocalRunOptions;
      if (others.eventsTo !== undefined && new URL(others.eventsTo).username !== '') {
        // Checked here and not in parseEventsTo, because its message would repeat the argument, which
        // contains a password.
        program.error('error: the URL of --events-to may hold no user name: `fetch` would not send it.');
      }
      await start({ ...others, allowHost, eventsHeader, context, state: resolve(others.state) });
    });
}

function parseEventsTo(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError(
      'Events are sent to a URL that begins with http:// or https://, as in: --events-to http://127.0.0.1:8080/events',
    );
  }
  return url.href;
}

function addHost(text: string, earlier: readonly string[] = []): readonly string[] {
  if (!hostNamePattern.test(text)) {
    throw new InvalidArgumentError('A host is a name or an IP address, without a port: host.docker.internal');
  }
  return [...earlier, text];
}

function addHeader(text: string, earlier: Readonly<Record<string, string>> = {}) {
  // RFC 9110 sections 5.1 and 5.5.
  const form = /^(?<name>[\w!#$%&'*+.^`|~-]+): *(?<value>[\x21-\x7e][\x20-\x7e]*)$/;
  const { name, value = '' } = form.exec(text)?.groups ?? {};
  if (name === undefined) {
    throw new InvalidArgumentError(
      "A header is given as 'name: value', as in: --events-header 'x-api-key: abc'",
    );
  }
  return { ...earlier, [name]: value };
}

const settingKeys = Object.keys(settings).filter((key) => key !== 'baseUrl');

function addContext(text: string, earlier: LocalRunOptions['context'] = {}): LocalRunOptions['context'] {
  const { key, value = '' } = /^(?<key>[^=\s]+)=(?<value>.*)/s.exec(text)?.groups ?? {};
  if (key === undefined) {
    throw new InvalidArgumentError('Context is given as key=value.');
  }
  if (key === 'baseUrl') {
    throw new InvalidArgumentError('The local run sets baseUrl itself: choose its port with --port.');
  }
  // Context of the CDK itself, such as feature flags, has names like `@aws-cdk/core:checkSecretUsage`.
  if (!settingKeys.includes(key) && !key.includes(':')) {
    throw new InvalidArgumentError(`There is no setting ${key}. Settings are: ${settingKeys.join(', ')}.`);
  }
  return { ...earlier, [key]: value };
}
