import { resolve } from 'node:path';
import type { GivenFixtures, Target } from '../../support/contract-target.ts';
import type { ClientCredentials } from '../../support/deployment.ts';

/** Flags of the contract suite that choose what is tested. */
export interface RunOptions {
  readonly baseUrl?: string;
  readonly local?: boolean;
  readonly state: string;
  readonly stack?: string;
  readonly file?: string;
  readonly fileNotEnabled?: string;
  readonly fileOfAnother?: string;
}

export type Choice =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problem: string };

/** The target that flags and environment name, or a sentence that says what doesn't fit. */
export function chooseTarget(options: RunOptions, environment: NodeJS.ProcessEnv): Choice {
  const { local, state, stack } = options;
  if (local && stack !== undefined) {
    return problem('--local and --stack exclude each other.');
  }
  if (options.baseUrl !== undefined && !isWebAddress(options.baseUrl)) {
    return problem(`--base-url ${options.baseUrl} is no http or https URL.`);
  }
  const baseUrl = options.baseUrl?.replace(/\/+$/, '');
  const address = baseUrl === undefined ? {} : { baseUrl };
  if (local) {
    return chosen({ kind: 'local', stateDirectory: resolve(state), ...address });
  }
  if (stack !== undefined) {
    return chosen({ kind: 'stack', name: stack, ...address });
  }
  if (baseUrl === undefined) {
    return chosen({ kind: 'own-run' });
  }
  return given(baseUrl, options, environment);
}

function given(baseUrl: string, options: RunOptions, environment: NodeJS.ProcessEnv): Choice {
  const client = credentials(environment, 'FILE_SYNC_');
  if (client === undefined) {
    return problem(
      'Set FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or give --local or --stack to have clients made.',
    );
  }
  const fixtures: GivenFixtures = {
    client,
    ...defined('reader', credentials(environment, 'FILE_SYNC_READER_')),
    ...defined('revoked', credentials(environment, 'FILE_SYNC_REVOKED_')),
    ...defined('file', options.file),
    ...defined('fileNotEnabled', options.fileNotEnabled),
    ...defined('fileOfAnother', options.fileOfAnother),
  };
  return chosen({ kind: 'given', baseUrl, fixtures });
}

function credentials(environment: NodeJS.ProcessEnv, prefix: string): ClientCredentials | undefined {
  const clientId = environment[`${prefix}CLIENT_ID`];
  const clientSecret = environment[`${prefix}CLIENT_SECRET`];
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** A member when there is a value, and no member otherwise. */
function defined<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function chosen(target: Target): Choice {
  return { ok: true, target };
}

function problem(text: string): Choice {
  return { ok: false, problem: text };
}
