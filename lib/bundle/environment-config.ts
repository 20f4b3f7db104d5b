/**
 * Replaces `@smithy/core/config` in the bundles. The original reads each setting that a client is not given from the
 * environment, then from ~/.aws/config and ~/.aws/credentials, and the Region also from the metadata of an EC2 instance.
 * A function in Lambda has no such files and no such metadata. So this one reads the environment alone.
 */

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting<Value> {
  /** Throws for a value that is not allowed, as the original does. */
  readonly environmentVariableSelector: (environment: Environment) => Value | undefined;
  readonly default?: Value | (() => Value | Promise<Value>);
}

/** Reads a setting when it is first asked for. A value that is not allowed counts as absent. */
export function loadConfig<Value>(setting: Setting<Value>): () => Promise<Value | undefined> {
  let loaded: Promise<Value | undefined> | undefined;
  return () => {
    loaded ??= load(setting);
    return loaded;
  };
}

async function load<Value>(setting: Setting<Value>): Promise<Value | undefined> {
  const fallback = setting.default;
  return (
    fromEnvironment(setting) ??
    (typeof fallback === 'function' ? await (fallback as () => Value | Promise<Value>)() : fallback)
  );
}

function fromEnvironment<Value>(setting: Setting<Value>): Value | undefined {
  try {
    return setting.environmentVariableSelector(process.env);
  } catch {
    return undefined;
  }
}

export const REGION_ENV_NAME = 'AWS_REGION';
export const REGION_INI_NAME = 'region';

export const NODE_REGION_CONFIG_OPTIONS: Setting<string> = {
  environmentVariableSelector: (environment) => environment[REGION_ENV_NAME],
  default: () => {
    throw new Error('Region is missing');
  },
};

/** Which file to prefer: none is read. */
export const NODE_REGION_CONFIG_FILE_OPTIONS = {};

export const NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS: Setting<boolean> = {
  environmentVariableSelector: (environment) =>
    booleanSelector(environment, 'AWS_USE_DUALSTACK_ENDPOINT', SelectorType.ENV),
  default: false,
};

export const NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS: Setting<boolean> = {
  environmentVariableSelector: (environment) =>
    booleanSelector(environment, 'AWS_USE_FIPS_ENDPOINT', SelectorType.ENV),
  default: false,
};

/** The defaults of clients that ask for no others (AWS SDKs and Tools Reference Guide, "Smart configuration defaults"). */
export function resolveDefaultsModeConfig(): () => Promise<'legacy'> {
  return async () => 'legacy';
}

type Provided<Value> = Value | (() => Promise<Value>);

/** Makes the Region and the choice of FIPS endpoints functions, as the other parts of the SDK expect them. */
export function resolveRegionConfig<
  Config extends { readonly region?: Provided<string>; readonly useFipsEndpoint?: Provided<boolean> },
>(config: Config) {
  const { region, useFipsEndpoint = false } = config;
  if (!region) {
    throw new Error('Region is missing');
  }
  return Object.assign(config, {
    region: typeof region === 'function' ? region : async () => region,
    useFipsEndpoint: typeof useFipsEndpoint === 'function' ? useFipsEndpoint : async () => useFipsEndpoint,
  });
}

export const SelectorType = { ENV: 'env', CONFIG: 'shared config entry' } as const;

type Selector<Value> = (source: Environment, name: string, type: string) => Value | undefined;

export const booleanSelector: Selector<boolean> = (source, name, type) => {
  const text = source[name];
  if (text !== undefined && text !== 'true' && text !== 'false') {
    throw new Error(`Cannot load ${type} "${name}". Expected "true" or "false".`);
  }
  return text === undefined ? undefined : text === 'true';
};

export const numberSelector: Selector<number> = (source, name, type) => {
  const text = source[name];
  const value = text === undefined ? undefined : Number.parseInt(text, 10);
  if (Number.isNaN(value)) {
    throw new TypeError(`Cannot load ${type} '${name}'. Expected a number.`);
  }
  return value;
};

/** Joins the parts of a name in a configuration file: none is read. */
export const CONFIG_PREFIX_SEPARATOR = '.';

/** A provider of a value that failed. */
export class ProviderError extends Error {
  override readonly name: string = 'ProviderError';
}
