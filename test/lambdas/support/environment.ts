interface Aws {
  readonly endpoint: string;
  readonly operatorCredentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * Sets the variables of a function: those of Lambda, for the emulator and with an operator's rights, and its
 * own. They are removed after the test. The function reads them when it is loaded, so load it afterwards.
 */
export function stubEnvironment(
  { endpoint, operatorCredentials }: Aws,
  own: Readonly<Record<string, string>>,
) {
  const environment = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: operatorCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: operatorCredentials.secretAccessKey,
    ...own,
  };
  for (const [name, value] of Object.entries(environment)) {
    vi.stubEnv(name, value);
  }
}
